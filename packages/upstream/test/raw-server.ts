import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { ConnectionPool, type PoolOptions } from '../src/index.ts'

/** A backend that speaks in raw bytes. */
export interface Backend {
  readonly port: number
  readonly server: Server
  /** Every connection so far. */
  readonly sockets: Socket[]
  close(): Promise<void>
}

/** @param serve called for each connection */
export async function backend(serve: (socket: Socket) => void): Promise<Backend> {
  const sockets: Socket[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: portOf(server),
    server,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A backend that answers every request that has arrived completely with the same bytes. */
export function answering(answer: string | ((request: string) => string | null)): Promise<Backend> {
  return backend((socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const request = text.slice(0, end + 4)
        text = text.slice(end + 4)
        const bytes = typeof answer === 'string' ? answer : answer(request)
        if (bytes !== null) socket.write(bytes, 'latin1')
      }
    })
  })
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return address.port
}

/** A pool without limits for a backend. */
export function poolFor(port: number, options: Partial<PoolOptions> = {}): ConnectionPool {
  return new ConnectionPool({
    target: { host: '127.0.0.1', port },
    tls: null,
    max: 0,
    min: 0,
    smax: -1,
    ttl: 0,
    acquireTimeout: -1,
    queue: -1,
    connectTimeout: 0,
    keepAlive: false,
    reuse: true,
    ...options,
  })
}
