import type { LenientDecoder, Rewriter } from '@gatewright/filters'

/** Translates text to UTF-8. Invalid bytes are left out, and reported once. */
export class Translation implements Rewriter {
  readonly #decoder: LenientDecoder
  readonly #reportInvalid: () => void
  #reported = false

  constructor(decoder: LenientDecoder, reportInvalid: () => void) {
    this.#decoder = decoder
    this.#reportInvalid = reportInvalid
  }

  *push(piece: Uint8Array): Generator<Uint8Array> {
    yield this.#translated(piece)
  }

  *end(): Generator<Uint8Array> {
    yield this.#translated()
  }

  #translated(piece?: Uint8Array): Buffer {
    const text = this.#decoder.decode(piece)
    if (this.#decoder.omitted && !this.#reported) {
      this.#reported = true
      this.#reportInvalid()
    }
    return Buffer.from(text, 'utf8')
  }
}
