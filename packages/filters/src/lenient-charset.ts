import { CharsetError, type Encoder } from './charset.ts'

/** Decodes a charset piece by piece, and leaves out what is invalid in it. */
export interface LenientDecoder {
  /** The characters of the next piece; of the rest, which may be incomplete, without one. */
  decode(piece?: Uint8Array): string
  /** Whether anything was left out so far. */
  readonly omitted: boolean
}

/** Makes a decoder of a charset by its name in the WHATWG Encoding Standard; null for an unknown one. */
export function lenientDecoderOf(charset: string): (() => LenientDecoder) | null {
  try {
    new TextDecoder(charset)
  } catch {
    return null
  }
  return () => new OmittingDecoder(charset)
}

class OmittingDecoder implements LenientDecoder {
  readonly #decoder: InstanceType<typeof TextDecoder>
  omitted = false

  constructor(charset: string) {
    this.#decoder = new TextDecoder(charset)
  }

  decode(piece?: Uint8Array): string {
    const text = piece === undefined ? this.#decoder.decode() : this.#decoder.decode(piece, { stream: true })
    if (!text.includes(REPLACEMENT)) return text
    this.omitted = true
    return text.replaceAll(REPLACEMENT, '')
  }
}

/** What a decoder makes of invalid bytes. */
const REPLACEMENT = '\ufffd'

/** Encodes a text, and leaves out the characters that the charset does not have. */
export function encodeLeniently(text: string, encode: Encoder): { readonly bytes: Buffer; readonly omitted: boolean } {
  try {
    return { bytes: encode(text), omitted: false }
  } catch (error) {
    if (!(error instanceof CharsetError)) throw error
  }
  const parts: Buffer[] = []
  for (const char of text) {
    try {
      parts.push(encode(char))
    } catch (error) {
      if (!(error instanceof CharsetError)) throw error
    }
  }
  return { bytes: Buffer.concat(parts), omitted: true }
}
