import { MalformedError } from './malformed.ts'

/** One value: its identifier octet, and where it is. */
export interface DerValue {
  /** The identifier octet; of a tag number above 30 the first octet, which no constant in `der-tags.ts` equals. */
  readonly tag: number
  /** Where the identifier octet is. */
  readonly at: number
  /** Where the contents begin. */
  readonly start: number
  /** Where the contents end. */
  readonly end: number
}

/** Deeper than any structure of X.509; what is nested deeper is malformed. */
const DEEPEST = 32

/**
 * Reads the values of one level of DER from first to last, without copying. It is strict: lengths are definite and as short as
 * possible, and every value ends within the one around it. All methods throw MalformedError.
 */
export class DerReader {
  readonly #bytes: Buffer
  readonly #end: number
  readonly #depth: number
  #at: number

  constructor(bytes: Buffer, start: number = 0, end: number = bytes.length, depth: number = 0) {
    if (depth > DEEPEST) throw new MalformedError('nested too deeply', start)
    this.#bytes = bytes
    this.#at = start
    this.#end = end
    this.#depth = depth
  }

  /** Whether values are left. */
  get more(): boolean {
    return this.#at < this.#end
  }

  /** Where the next value begins. */
  get at(): number {
    return this.#at
  }

  /** The identifier octet of the next value; -1 at the end. */
  peek(): number {
    return this.#at < this.#end ? this.#bytes[this.#at] : -1
  }

  /** Reads the next value. @param tag the only identifier octet that is allowed here; without it any */
  next(tag?: number): DerValue {
    const value = this.#read()
    if (tag !== undefined && value.tag !== tag)
      throw new MalformedError(`tag ${hex(tag)} expected, but tag ${hex(value.tag)} found`, value.at)
    this.#at = value.end
    return value
  }

  /** Reads the next value if its identifier octet is this one. */
  optional(tag: number): DerValue | undefined {
    return this.peek() === tag ? this.next() : undefined
  }

  /** A reader of the values inside a constructed value. */
  inside(value: DerValue): DerReader {
    return new DerReader(this.#bytes, value.start, value.end, this.#depth + 1)
  }

  /** A reader of the values inside the next value, which must have this identifier octet. */
  enter(tag: number): DerReader {
    return this.inside(this.next(tag))
  }

  /** The contents of a value. They share memory with the input. */
  contents(value: DerValue): Buffer {
    return this.#bytes.subarray(value.start, value.end)
  }

  /** A value with its identifier and length octets. It shares memory with the input. */
  whole(value: DerValue): Buffer {
    return this.#bytes.subarray(value.at, value.end)
  }

  /** Checks that no value is left. */
  finish(): void {
    if (this.more) throw new MalformedError('bytes after the last value', this.#at)
  }

  #read(): DerValue {
    const at = this.#at
    const tag = this.#octet(at)
    const length = (tag & 0x1f) === 0x1f ? this.#afterTagNumber(at + 1) : at + 1
    const first = this.#octet(length)
    if (first < 0x80) return this.#value(tag, at, length + 1, first)
    const count = first & 0x7f
    if (count === 0) throw new MalformedError('a length is indefinite', length)
    if (count > 4) throw new MalformedError('a length is too large', length)
    let size = 0
    for (let index = 1; index <= count; index++) size = size * 256 + this.#octet(length + index)
    if (size < 0x80 || size < 256 ** (count - 1)) throw new MalformedError('a length is longer than necessary', length)
    return this.#value(tag, at, length + 1 + count, size)
  }

  #value(tag: number, at: number, start: number, size: number): DerValue {
    const end = start + size
    if (end > this.#end) throw new MalformedError('a value ends after the one around it', at)
    return { tag, at, start, end }
  }

  /** Skips a tag number above 30, in base 128. */
  #afterTagNumber(from: number): number {
    for (let at = from; at < from + 4; at++) if (this.#octet(at) < 0x80) return at + 1
    throw new MalformedError('a tag number is too large', from)
  }

  #octet(at: number): number {
    if (at >= this.#end) throw new MalformedError('the input is truncated', at)
    return this.#bytes[at]
  }
}

function hex(tag: number): string {
  return `0x${tag.toString(16).padStart(2, '0')}`
}
