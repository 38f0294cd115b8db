import type { WireImage } from '@gatewright/http'
import type { BodyFraming } from './body-framing.ts'
import type { RequestRecord } from './request-record.ts'

/** A response that was built, and everything from which it was built, apart from the fields that modules set. */
export interface ImageParts {
  readonly date: string
  readonly contentType: string | null
  readonly framing: BodyFraming
  /** The bytes as the exchange sent them. */
  readonly wire: WireImage
}

/**
 * A response as it was sent, 200 with a file or an error with its page: its bytes, and everything from which its head was built, so
 * that the next response can be compared instead of built. Most of the strings are identical objects from one
 * request to the next, which makes the comparison cheap.
 */
export class ResponseImage {
  readonly date: string
  readonly contentType: string | null
  readonly framing: BodyFraming
  readonly wire: WireImage
  /** name, value, name, value, ... of the fields that survive errors, then of the others. */
  readonly #fields: readonly string[]
  readonly #alwaysCount: number

  constructor(request: RequestRecord, { date, contentType, framing, wire }: ImageParts) {
    this.date = date
    this.contentType = contentType
    this.framing = framing
    this.wire = wire
    const always = [...(request.existingErrHeadersOut ?? [])].flat()
    this.#fields = [...always, ...[...(request.existingHeadersOut ?? [])].flat()]
    this.#alwaysCount = always.length
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
