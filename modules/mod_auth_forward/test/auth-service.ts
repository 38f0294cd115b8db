import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** What a test's service answers: a whole response as bytes, or nothing. */
export type Answer = (request: IncomingMessage) => string | null

/** An authentication service that can misbehave in every way: it writes responses as bytes. */
export class AuthService {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly asked: IncomingMessage[] = []
  answer: Answer = () => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'

  private constructor() {
    this.#server = createServer((request) => {
      this.asked.push(request)
      const text = this.answer(request)
      if (text === '') request.socket.destroy()
      else if (text !== null) request.socket.end(Buffer.from(text, 'latin1'))
    })
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {})
    })
  }

  static async start(): Promise<AuthService> {
    const service = new AuthService()
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve))
    return service
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the service does not listen')
    const { port }: AddressInfo = address
    return `http://127.0.0.1:${port}/verify?x=1`
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

/** A response with fields. */
export function response(status: number, fields: Readonly<Record<string, string>> = {}, body = ''): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} X\r\nConnection: close\r\nContent-Length: ${body.length}\r\n${lines.join('')}\r\n${body}`
}
