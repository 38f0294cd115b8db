import type { RequestRecord } from '../request/request-record.ts'
import type { BodyFraming } from './head.ts'

/** What the head of a response is made of, apart from the fields that modules set. */
export interface HeadParts {
  readonly date: string
  readonly contentType: string | null
  readonly framing: BodyFraming
  /** The fields about the connection, as lines. */
  readonly connection: string
}

/**
 * A response of status 200 as it was sent: all its bytes, and everything that its head was made of, so that the next one can be compared instead of made.
 * Most of the strings are the very same objects from one request to the next, which makes comparing cheap.
 */
export class ResponseImage {
  readonly date: string
  readonly contentType: string | null
  readonly framing: BodyFraming
  readonly connection: string
  readonly bytes: Buffer
  /** name, value, name, value, ... of the fields that survive errors, then of the others. */
  private readonly fields: readonly string[]
  private readonly alwaysCount: number

  constructor(request: RequestRecord, { date, contentType, framing, connection }: HeadParts, head: string, content: Buffer) {
    this.date = date
    this.contentType = contentType
    this.framing = framing
    this.connection = connection
    const always = [...(request.existingErrHeadersOut ?? [])].flat()
    this.fields = [...always, ...[...(request.existingHeadersOut ?? [])].flat()]
    this.alwaysCount = always.length
    this.bytes = Buffer.allocUnsafeSlow(head.length + content.length)
    this.bytes.write(head, 0, 'latin1')
    content.copy(this.bytes, head.length)
  }

  /** True when modules set the same fields for this request, in the same order. */
  hasFieldsOf(request: RequestRecord): boolean {
    const { existingErrHeadersOut: always, existingHeadersOut: normal } = request
    const count = (always === null ? 0 : 2 * always.size) + (normal === null ? 0 : 2 * normal.size)
    if (count !== this.fields.length || (always === null ? 0 : 2 * always.size) !== this.alwaysCount) return false
    return this.agrees(always, 0) && this.agrees(normal, this.alwaysCount)
  }

  private agrees(table: RequestRecord['existingHeadersOut'], from: number): boolean {
    if (table === null) return true
    for (let index = 0, at = from; index < table.size; index++, at += 2) {
      if (table.name(index) !== this.fields[at] || table.value(index) !== this.fields[at + 1]) return false
    }
    return true
  }
}
