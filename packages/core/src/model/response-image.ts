import { wireBytes } from '@gatewright/http'
import type { BodyFraming } from './body-framing.ts'
import type { RequestRecord } from './request-record.ts'

/** Everything from which the head of a response is built, apart from the fields that modules set. */
export interface HeadParts {
  readonly date: string
  readonly contentType: string | null
  readonly framing: BodyFraming
  /** The fields about the connection, as lines. */
  readonly connection: string
}

/** For longer responses the saved head is not worth the copy. */
const COPIED_MAX = 8 * 1024

/**
 * A response of status 200 as it was sent: all its bytes, and everything from which its head was built, so
 * that the next response can be compared instead of built. Most of the strings are identical objects from one
 * request to the next, which makes the comparison cheap.
 */
export class ResponseImage {
  readonly date: string
  readonly contentType: string | null
  readonly framing: BodyFraming
  readonly connection: string
  readonly bytes: Buffer
  /** Offset of the fields about the connection in the bytes, -1 if there are none. */
  readonly #connectionAt: number
  /** name, value, name, value, ... of the fields that survive errors, then of the others. */
  readonly #fields: readonly string[]
  readonly #alwaysCount: number

  constructor(request: RequestRecord, { date, contentType, framing, connection }: HeadParts, head: string, content: Buffer) {
    this.date = date
    this.contentType = contentType
    this.framing = framing
    this.connection = connection
    const always = [...(request.existingErrHeadersOut ?? [])].flat()
    this.#fields = [...always, ...[...(request.existingHeadersOut ?? [])].flat()]
    this.#alwaysCount = always.length
    // The fields were checked, and those of the next response are compared with them.
    const headBytes = wireBytes(head)
    this.bytes = Buffer.allocUnsafeSlow(headBytes.length + content.length)
    headBytes.copy(this.bytes)
    content.copy(this.bytes, headBytes.length)
    // Modules set nothing after these fields.
    this.#connectionAt = connection === '' ? -1 : head.lastIndexOf(connection)
  }

  /**
   * The response with these fields about the connection, which contain the number of remaining requests. Null
   * if building a new response is as easy.
   */
  bytesWith(connection: string): Buffer | null {
    if (connection === this.connection) return this.bytes
    if (this.#connectionAt < 0 || connection === '' || this.bytes.length > COPIED_MAX) return null
    const rest = this.#connectionAt + this.connection.length
    const end = this.#connectionAt + connection.length
    const bytes = Buffer.allocUnsafe(end + this.bytes.length - rest)
    this.bytes.copy(bytes, 0, 0, this.#connectionAt)
    bytes.write(connection, this.#connectionAt, 'latin1')
    this.bytes.copy(bytes, end, rest)
    return bytes
  }

  /** True if modules set the same fields for this request, in the same order. */
  hasFieldsOf(request: RequestRecord): boolean {
    const { existingErrHeadersOut: always, existingHeadersOut: normal } = request
    const count = (always === null ? 0 : 2 * always.size) + (normal === null ? 0 : 2 * normal.size)
    if (count !== this.#fields.length || (always === null ? 0 : 2 * always.size) !== this.#alwaysCount) return false
    return this.#agrees(always, 0) && this.#agrees(normal, this.#alwaysCount)
  }

  #agrees(table: RequestRecord['existingHeadersOut'], from: number): boolean {
    if (table === null) return true
    for (let index = 0, at = from; index < table.size; index++, at += 2) {
      if (table.name(index) !== this.#fields[at] || table.value(index) !== this.#fields[at + 1]) return false
    }
    return true
  }
}
