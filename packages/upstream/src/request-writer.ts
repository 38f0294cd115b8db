import type { ClientRequest } from './client-request.ts'
import type { UpstreamConnection } from './connection.ts'

/** Sends one request, and its body as it comes. */
export class RequestWriter {
  /** Everything was passed to the connection. */
  ended: boolean
  bytesSent: number
  readonly #connection: UpstreamConnection
  readonly #chunked: boolean

  constructor(connection: UpstreamConnection, { head, body, framing }: ClientRequest) {
    this.#connection = connection
    this.#chunked = framing === 'chunked'
    this.ended = framing === 'none' || body !== null
    this.bytesSent = head.length
    if (body === null || body.length === 0) {
      connection.write(head)
      return
    }
    this.bytesSent += body.length
    connection.cork()
    connection.write(head)
    connection.write(body)
    connection.uncork()
  }

  /** Returns false if the caller should wait until everything is sent. */
  write(chunk: Buffer | string): boolean {
    if (chunk.length === 0) return true
    const connection = this.#connection
    if (!this.#chunked) {
      this.bytesSent += chunk.length
      return connection.write(chunk)
    }
    const size = `${chunk.length.toString(16)}\r\n`
    this.bytesSent += size.length + chunk.length + 2
    connection.cork()
    connection.write(size)
    connection.write(chunk)
    const taken = connection.write('\r\n')
    connection.uncork()
    return taken
  }

  end(): void {
    if (this.ended) return
    this.ended = true
    if (!this.#chunked) return
    this.bytesSent += 5
    this.#connection.write('0\r\n\r\n')
  }
}
