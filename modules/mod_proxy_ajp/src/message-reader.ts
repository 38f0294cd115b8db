import type { FaultLine } from './faults.ts'

/** httpd counts positions from the start of the packet. */
const HEADER_SIZE = 4

/** Reads the content of a packet of a back end. What is not there is null, and noted. */
export class MessageReader {
  /** The lines about what is not there. */
  readonly lines: FaultLine[]
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer) {
    this.lines = []
    this.#bytes = bytes
    this.#at = 0
  }

  uint8(): number | null {
    if (this.#at + 1 > this.#bytes.length) return this.#missing('ajp_msg_get_uint8')
    return this.#bytes[this.#at++]
  }

  uint16(): number | null {
    const value = this.peekUint16('ajp_msg_get_uint16')
    if (value !== null) this.#at += 2
    return value
  }

  peekUint16(step = 'ajp_msg_peek_uint16'): number | null {
    return this.#at + 2 > this.#bytes.length ? this.#missing(step) : this.#bytes.readUInt16BE(this.#at)
  }

  /** A text without what follows a zero byte in it, as httpd reads it. */
  string(): string | null {
    const size = this.uint16()
    if (size === null) return this.#missing('ajp_msg_get_string')
    const end = this.#at + size
    if (end >= this.#bytes.length || this.#bytes[end] !== 0) return this.#missing('ajp_msg_get_string')
    const text = this.#bytes.toString('latin1', this.#at, end)
    this.#at = end + 1
    const zero = text.indexOf('\0')
    return zero < 0 ? text : text.slice(0, zero)
  }

  #missing(step: string): null {
    const place = `${this.#at + HEADER_SIZE} ${this.#bytes.length + HEADER_SIZE}`
    this.lines.push({ code: 'AH03229', text: `${step}(): BufferOverflowException ${place}`, isOfRequest: false })
    return null
  }
}
