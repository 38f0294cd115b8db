import { connect, createServer, type Server, type Socket } from 'node:net'
import { Writable } from 'node:stream'

/** Sends bytes in another way; calls `done` when more may follow. */
export type Sending = (bytes: Buffer, done: (error?: Error | null) => void) => void

/** Passes connections on to a server, and sends in another way what clients send. */
export class ClientProxy {
  readonly #server: Server
  readonly #open = new Set<Socket>()

  private constructor(server: Server) {
    this.#server = server
  }

  /** @param sending makes what sends to the server on a new connection */
  static async start(target: number, sending: (server: Socket) => Sending): Promise<ClientProxy> {
    const server = createServer({ allowHalfOpen: true, noDelay: true })
    const proxy = new ClientProxy(server)
    server.on('connection', (client) => proxy.#pass(client, target, sending))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    return proxy
  }

  get port(): number {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen')
    return address.port
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
  }

  #pass(client: Socket, target: number, sending: (server: Socket) => Sending): void {
    const server = connect({ host: '127.0.0.1', port: target, noDelay: true, allowHalfOpen: true })
    const send = sending(server)
    client.pipe(
      new Writable({
        write: (bytes: Buffer, _encoding, done) => send(bytes, done),
        final: (done) => void server.end(done),
      }).on('error', () => server.destroy()),
    )
    server.pipe(client)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ]) {
      this.#open.add(one)
      one.on('error', () => other.resetAndDestroy())
      one.on('close', () => {
        this.#open.delete(one)
        if (!one.readableEnded) other.destroy()
      })
    }
  }
}
