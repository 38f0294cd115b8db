import { CR, LF, SPACE, TAB } from '../byte-classes.ts'
import { HeaderFields } from '../header-fields.ts'
import type { Input } from '../input.ts'
import { bodyLine, INVALID, NO_SPACE, type Refusal, type RefusalLog, refusal } from '../refusal.ts'
import type { MessageLimits } from '../settings.ts'
import { type COMPLETE, FieldSection, NEED_MORE, REFUSED } from './field-section.ts'

/** The input begins with `available` bytes of chunk data. */
export const CHUNK_DATA = 3
export type ChunkedStatus = typeof NEED_MORE | typeof COMPLETE | typeof REFUSED | typeof CHUNK_DATA

/**
 * Decodes a chunked body (RFC 9112 section 7.1). The caller takes the data from the input and reports it with
 * `took`; sizes, extensions and trailers are consumed here.
 */
export class ChunkedDecoder {
  readonly trailers: HeaderFields
  refusal: Refusal | null
  available: number
  /** Bytes other than data. */
  framingBytes: number
  #state: number
  #size: number
  #lineLength: number
  #blanks: number
  #section: FieldSection | null

  constructor() {
    this.trailers = new HeaderFields()
    this.refusal = null
    this.available = 0
    this.framingBytes = 0
    this.#state = SIZE_START
    this.#size = 0
    this.#lineLength = 0
    this.#blanks = 0
    this.#section = null
  }

  /** Advances to the next data, to the end, or to the end of the input. */
  next(input: Input, settings: MessageLimits): ChunkedStatus {
    const before = input.length
    const status = this.#advance(input, settings)
    this.framingBytes += before - input.length
    return status
  }

  /** Reports that the caller took `count` bytes of data, at most those available. */
  took(count: number): void {
    this.#size -= count
    if (this.#size === 0) this.#state = DATA_END
  }

  /** The log message for a client that stops sending before the end of the body. */
  endOfInput(input: Input): Refusal {
    return this.#section === null ? refusal(400, null) : trailerRefusal(this.#section.refuseEnd(input))
  }

  #advance(input: Input, settings: MessageLimits): ChunkedStatus {
    while (this.#state !== TRAILERS) {
      if (input.length === 0) return NEED_MORE
      if (this.#state === DATA) {
        this.available = Math.min(this.#size, input.length)
        return CHUNK_DATA
      }
      if (!this.#readLine(input, settings)) return REFUSED
    }
    return this.#readTrailers(input, settings)
  }

  /** Reads a size line, or the line end after data, up to its end or the end of the input. */
  #readLine(input: Input, settings: MessageLimits): boolean {
    const bytes = input.bytes
    let i = input.start
    let state = this.#state
    while (i < input.end && state < DATA) {
      const byte = bytes[i++]
      if (state < DATA_END && ++this.#lineLength > settings.limitRequestLine) return this.#overflow()
      state = this.#step(state, byte, settings.strict)
      if (state === FAULT) return this.#malformed()
      if (state === OVERFLOW) return this.#overflow()
    }
    this.#state = state
    input.skip(i - input.start)
    return true
  }

  #step(state: number, byte: number, strict: boolean): number {
    switch (state) {
      case SIZE_START:
        this.#size = 0
        return this.#addDigit(byte)
      case SIZE:
        return hexDigit(byte) >= 0 ? this.#addDigit(byte) : this.#afterSize(byte, strict)
      case BLANKS:
        return this.#afterSize(byte, strict)
      case EXTENSION:
        if (byte === CR || byte === LF) return this.#afterSize(byte, strict)
        return byte === TAB || (byte >= SPACE && byte !== 127) ? EXTENSION : FAULT
      case SIZE_LF:
        return byte === LF ? this.#sizeEnds() : FAULT
      case DATA_END:
        if (byte === CR) return DATA_LF
        return byte === LF && !strict ? SIZE_START : FAULT
      default:
        return byte === LF ? SIZE_START : FAULT
    }
  }

  #addDigit(byte: number): number {
    const digit = hexDigit(byte)
    if (digit < 0) return FAULT
    this.#size = this.#size * 16 + digit
    return this.#size > Number.MAX_SAFE_INTEGER ? OVERFLOW : SIZE
  }

  #afterSize(byte: number, strict: boolean): number {
    if (byte === CR) return SIZE_LF
    if (byte === SEMICOLON) return EXTENSION
    if (byte === SPACE || byte === TAB) return ++this.#blanks > BLANKS_MAX ? FAULT : BLANKS
    return byte === LF && !strict ? this.#sizeEnds() : FAULT
  }

  #sizeEnds(): number {
    this.#lineLength = 0
    this.#blanks = 0
    return this.#size === 0 ? TRAILERS : DATA
  }

  #readTrailers(input: Input, settings: MessageLimits): ChunkedStatus {
    this.#section ??= new FieldSection()
    const section = this.#section
    const status = section.read(input, this.trailers, settings)
    if (status === REFUSED && section.refusal !== null) this.refusal = trailerRefusal(section.refusal)
    return status
  }

  #malformed(): boolean {
    this.refusal = refusal(400, bodyLine('AH01590', 'Error reading/parsing chunk  ', INVALID))
    return false
  }

  #overflow(): boolean {
    this.refusal = refusal(413, bodyLine('AH01590', 'Error reading/parsing chunk (overflow) ', NO_SPACE))
    return false
  }
}

function trailerRefusal({ status, note, log }: Refusal): Refusal {
  const last = bodyLine('AH02656', `Error while reading HTTP trailer: ${status}${note === '' ? '' : `: ${note}`}`)
  return refusal(status, append(log, last), note)
}

/** Appends a line to a list of log lines. */
export function append(log: RefusalLog | null, last: RefusalLog): RefusalLog {
  return log === null ? last : { ...log, next: append(log.next, last) }
}

// States, in this order: parts of a size line, the line end after data, and then those that are not part of a
// line.
const SIZE_START = 0
const SIZE = 1
const BLANKS = 2
const EXTENSION = 3
const SIZE_LF = 4
const DATA_END = 5
const DATA_LF = 6
const DATA = 7
const TRAILERS = 8
const FAULT = 9
const OVERFLOW = 10

const SEMICOLON = 59

/** Blanks after a size that are accepted, as in httpd: the grammar has none there, and old clients pad sizes. */
const BLANKS_MAX = 10

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}
