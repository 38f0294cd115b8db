import type { Decoder, Encoder } from './charset.ts'
import type { Rewriter } from './rewriter.ts'

/** Translates text from a charset to another one. */
export class CharsetRewriter implements Rewriter {
  readonly #decoder: Decoder
  readonly #encode: Encoder
  /** The first half of a surrogate pair whose second half has not arrived. */
  #half = ''

  constructor(decoder: Decoder, encode: Encoder) {
    this.#decoder = decoder
    this.#encode = encode
  }

  /** @throws CharsetError */
  *push(piece: Uint8Array): Generator<Uint8Array> {
    const text = this.#half + this.#decoder.decode(piece)
    const last = text.charCodeAt(text.length - 1)
    const isHalf = last >= 0xd800 && last <= 0xdbff
    this.#half = isHalf ? text.slice(-1) : ''
    yield this.#encode(isHalf ? text.slice(0, -1) : text)
  }

  /** @throws CharsetError */
  *end(): Generator<Uint8Array> {
    yield this.#encode(this.#half + this.#decoder.end())
  }
}
