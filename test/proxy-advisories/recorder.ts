import { createServer, type Server, type Socket } from 'node:net'
import { beginsOtherRequest } from './back-end-protocols.ts'

/** What a backend says to a request; the text is latin1. */
export type Answering = (head: string) => string

const OK: Answering = () => 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage'

/** A backend that keeps every byte that it receives, and answers each head that ends. */
export class RecordingBackend {
  /** The heads that arrived, with what followed them. */
  readonly received: string[] = []
  answering: Answering = OK
  readonly port: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server, port: number) {
    this.#server = server
    this.port = port
    server.on('connection', (socket) => this.#serve(socket))
  }

  static async start(port: number): Promise<RecordingBackend> {
    const server = createServer()
    const backend = new RecordingBackend(server, port)
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
    return backend
  }

  /** Forgets what it received, and answers as usual again. */
  reset(): void {
    this.received.length = 0
    this.answering = OK
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      this.received.push(text)
      if (/^[A-Z]+ /.test(text) || beginsOtherRequest(text)) socket.write(Buffer.from(this.answering(text), 'latin1'))
    })
  }
}
