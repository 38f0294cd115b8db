/** Decodes a charset to characters, piece by piece. */
export interface Decoder {
  /** @throws CharsetError for bytes that are no text in the charset */
  decode(piece: Uint8Array): string
  /** The rest, which may be an incomplete character. @throws CharsetError */
  end(): string
}

/** Encodes characters. */
export type Encoder = (text: string) => Buffer

/** A text cannot be represented. */
export class CharsetError extends Error {}

/** Makes a decoder of a charset; null for an unknown one. */
export function decoderOf(charset: string): (() => Decoder) | null {
  const name = charset.toLowerCase()
  if (isLatin1(name)) return () => new SingleByteDecoder(0xff)
  if (isAscii(name)) return () => new SingleByteDecoder(0x7f)
  if (!isKnown(name)) return null
  return () => new WebDecoder(name)
}

/** The encoder of a charset; null for an unknown one. */
export function encoderOf(charset: string): Encoder | null {
  const name = charset.toLowerCase()
  if (isLatin1(name)) return (text) => encodeSingle(text, 0xff)
  if (isAscii(name)) return (text) => encodeSingle(text, 0x7f)
  if (name === 'utf-8' || name === 'utf8') return (text) => Buffer.from(text, 'utf8')
  if (name === 'utf-16le' || name === 'ucs-2le') return (text) => Buffer.from(text, 'utf16le')
  if (!isKnown(name)) return null
  return new TableEncoder(name).encode
}

function isLatin1(name: string): boolean {
  return /^(?:iso[-_]?8859[-_]1|latin1|l1|iso_8859-1:1987|cp819)$/.test(name)
}

function isAscii(name: string): boolean {
  return /^(?:us-ascii|ascii|ansi_x3\.4-1968|us)$/.test(name)
}

function isKnown(name: string): boolean {
  try {
    new TextDecoder(name)
    return true
  } catch {
    return false
  }
}

class SingleByteDecoder implements Decoder {
  readonly #last: number

  constructor(last: number) {
    this.#last = last
  }

  decode(piece: Uint8Array): string {
    if (piece.some((byte) => byte > this.#last)) throw new CharsetError()
    return Buffer.from(piece).toString('latin1')
  }

  end(): string {
    return ''
  }
}

class WebDecoder implements Decoder {
  readonly #decoder: InstanceType<typeof TextDecoder>

  constructor(name: string) {
    this.#decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true })
  }

  decode(piece: Uint8Array): string {
    return this.#tried(() => this.#decoder.decode(piece, { stream: true }))
  }

  end(): string {
    return this.#tried(() => this.#decoder.decode())
  }

  #tried(decode: () => string): string {
    try {
      return decode()
    } catch {
      throw new CharsetError()
    }
  }
}

function encodeSingle(text: string, last: number): Buffer {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > last) throw new CharsetError()
  return Buffer.from(text, 'latin1')
}

/** Encodes by the inverse of the decoder's table of one and two bytes. */
class TableEncoder {
  readonly #table = new Map<string, readonly number[]>()

  constructor(name: string) {
    const lead: number[] = []
    for (let byte = 0; byte < 256; byte++) {
      const char = decoded(name, [byte])
      if (char === null) lead.push(byte)
      else if (!this.#table.has(char)) this.#table.set(char, [byte])
    }
    for (const first of lead) {
      for (let second = 0; second < 256; second++) {
        const char = decoded(name, [first, second])
        if (char !== null && Array.from(char).length === 1 && !this.#table.has(char)) this.#table.set(char, [first, second])
      }
    }
  }

  readonly encode = (text: string): Buffer => {
    const bytes: number[] = []
    for (const char of text) {
      const encoded = this.#table.get(char)
      if (encoded === undefined) throw new CharsetError()
      bytes.push(...encoded)
    }
    return Buffer.from(bytes)
  }
}

function decoded(name: string, bytes: readonly number[]): string | null {
  try {
    return new TextDecoder(name, { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return null
  }
}
