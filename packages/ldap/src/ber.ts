/** Writes values of the Basic Encoding Rules (X.690) as LDAP uses them: definite lengths only. Text is bytes. */
export const ber = {
  /** A value with its tag and length around its parts. */
  wrap(tag: number, ...parts: readonly Uint8Array[]): Buffer {
    let length = 0
    for (const part of parts) length += part.length
    return Buffer.concat([head(tag, length), ...parts])
  },
  /** An INTEGER or ENUMERATED of up to 31 bits that is not negative. */
  integer(value: number, tag: number = TAG.integer): Buffer {
    const bytes: number[] = []
    for (let rest = value; ; rest >>>= 8) {
      bytes.unshift(rest & 0xff)
      // The first bit is the sign.
      if (rest < 0x80) break
    }
    return ber.wrap(tag, Buffer.from(bytes))
  },
  boolean(value: boolean): Buffer {
    return ber.wrap(TAG.boolean, Buffer.from([value ? 0xff : 0]))
  },
  text(value: string, tag: number = TAG.octets): Buffer {
    return ber.wrap(tag, Buffer.from(value, 'latin1'))
  },
}

/** Universal tags. */
export const TAG = { boolean: 0x01, integer: 0x02, octets: 0x04, enumerated: 0x0a, sequence: 0x30, set: 0x31 } as const

function head(tag: number, length: number): Buffer {
  if (length < 0x80) return Buffer.from([tag, length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 0x100)) bytes.unshift(rest & 0xff)
  return Buffer.from([tag, 0x80 | bytes.length, ...bytes])
}

/** A message does not follow the Basic Encoding Rules, or not LDAP's. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage'
}

/** Reads the values in some bytes, one after the other. */
export class BerReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** The tag of the next value; undefined at the end. */
  get tag(): number | undefined {
    return this.#bytes[this.#at]
  }

  /** The content of the next value. @throws MalformedMessage unless it is complete and has the tag */
  content(tag?: number): Buffer {
    const size = sizeOfValue(this.#bytes, this.#at)
    if (size === null || this.#at + size.head + size.content > this.#bytes.length)
      throw new MalformedMessage('a value is cut off')
    if (tag !== undefined && this.#bytes[this.#at] !== tag)
      throw new MalformedMessage(`tag ${this.#bytes[this.#at]} where ${tag} belongs`)
    const start = this.#at + size.head
    this.#at = start + size.content
    return this.#bytes.subarray(start, this.#at)
  }

  /** The values inside the next value. */
  inside(tag?: number): BerReader {
    return new BerReader(this.content(tag))
  }

  text(tag: number = TAG.octets): string {
    return this.content(tag).toString('latin1')
  }

  /** An INTEGER or ENUMERATED that fits into 32 bits. */
  integer(tag: number = TAG.integer): number {
    const bytes = this.content(tag)
    if (bytes.length === 0 || bytes.length > 4) throw new MalformedMessage(`an integer of ${bytes.length} bytes`)
    return bytes.readIntBE(0, bytes.length)
  }
}

/**
 * How many bytes the value at a place has.
 * @returns null if its head is not complete
 * @throws MalformedMessage for a head that no LDAP message has
 */
export function sizeOfValue(bytes: Buffer, at: number): { readonly head: number; readonly content: number } | null {
  if (bytes.length < at + 2) return null
  const first = bytes[at + 1]
  if (first < 0x80) return { head: 2, content: first }
  const count = first & 0x7f
  if (count === 0 || count > 4) throw new MalformedMessage(`a length of ${count} bytes`)
  if (bytes.length < at + 2 + count) return null
  return { head: 2 + count, content: bytes.readUIntBE(at + 2, count) }
}
