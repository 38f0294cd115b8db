import { createServer, type Server } from 'node:http'

/** A backend that notes what it understands, with bodies. */
export class RecordingBackend {
  readonly port: number
  readonly #server: Server
  readonly #lines: string[]
  readonly #bodies: ReadonlyMap<string, string>

  private constructor(port: number, server: Server, lines: string[], bodies: ReadonlyMap<string, string>) {
    this.port = port
    this.#server = server
    this.#lines = lines
    this.#bodies = bodies
  }

  static start(): Promise<RecordingBackend> {
    const lines: string[] = []
    const bodies = new Map<string, string>()
    const server = createServer((request, response) => {
      const line = `${request.method} ${request.url}`
      lines.push(`200 ${line} HTTP/1.1`)
      const chunks: Buffer[] = []
      request.on('error', () => undefined)
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        bodies.set(request.url ?? '', Buffer.concat(chunks).toString('latin1'))
        response.setHeader('X-Saw', line)
        response.end('page\n')
      })
    })
    // Bytes that are no request were left over from another one, unless the proxy gave up a body in the middle.
    server.on('clientError', (error: Error & { readonly code?: string }, socket) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'HPE_INVALID_EOF_STATE') lines.push(`400 ${error.message}`)
      socket.destroy()
    })
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        if (address === null || typeof address === 'string') throw new Error('no port')
        resolve(new RecordingBackend(address.port, server, lines, bodies))
      })
    })
  }

  lines(): string[] {
    return this.#lines
  }

  /** The complete body of the request whose target matches; null if there was none. */
  bodyOf(target: RegExp): string | null {
    for (const [seen, body] of this.#bodies) if (target.test(seen)) return body
    return null
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
