import type { WireImage } from '../exchange.ts'
import { wireBytes } from '../wire-text.ts'

/** For longer responses the saved head is not worth the copy. */
const COPIED_MAX = 8 * 1024

/** All bytes of a response, in which the fields about the connection can be replaced. */
export class Http1Image implements WireImage {
  readonly bytes: Buffer
  /** The fields about the connection, as lines. */
  readonly #connection: string
  /** Their offset in the bytes. */
  readonly #connectionAt: number

  constructor(before: string, connection: string, after: string, body: Buffer) {
    const head = wireBytes(before + connection + after)
    this.bytes = Buffer.allocUnsafeSlow(head.length + body.length)
    head.copy(this.bytes)
    body.copy(this.bytes, head.length)
    this.#connection = connection
    this.#connectionAt = before.length
  }

  /**
   * The response with these fields about the connection, which may contain the number of remaining requests.
   * Null if building a new response is as easy.
   */
  bytesWith(connection: string): Buffer | null {
    if (connection === this.#connection) return this.bytes
    if (this.#connection === '' || connection === '' || this.bytes.length > COPIED_MAX) return null
    const rest = this.#connectionAt + this.#connection.length
    const end = this.#connectionAt + connection.length
    const bytes = Buffer.allocUnsafe(end + this.bytes.length - rest)
    this.bytes.copy(bytes, 0, 0, this.#connectionAt)
    bytes.write(connection, this.#connectionAt, 'latin1')
    this.bytes.copy(bytes, end, rest)
    return bytes
  }
}
