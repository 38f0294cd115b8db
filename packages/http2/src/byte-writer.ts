/** Bytes of a writer that has nothing to write. */
const IDLE_ROOM = 1024

/** Bytes that grow at their end. */
export class ByteWriter {
  #bytes: Buffer
  #length = 0

  constructor(room: number = IDLE_ROOM) {
    this.#bytes = Buffer.allocUnsafeSlow(room)
  }

  get length(): number {
    return this.#length
  }

  /** The bytes so far; valid until the next one is written. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** A copy of the bytes so far. */
  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length))
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  uint16(value: number): void {
    this.byte(value >>> 8)
    this.byte(value & 255)
  }

  uint32(value: number): void {
    this.uint16(value >>> 16)
    this.uint16(value & 0xffff)
  }

  /** A text in latin1. */
  text(text: string): void {
    const { length } = text
    if (this.#bytes.length - this.#length < length) this.#grow(length)
    this.#bytes.write(text, this.#length, 'latin1')
    this.#length += length
  }

  /** The bytes of `source` from `start` to `end`. */
  chunk(source: Buffer, start = 0, end: number = source.length): void {
    const length = end - start
    if (this.#bytes.length - this.#length < length) this.#grow(length)
    source.copy(this.#bytes, this.#length, start, end)
    this.#length += length
  }

  /** The head of a frame (RFC 9113 section 4.1). */
  frame(length: number, type: number, flags: number, stream: number): void {
    if (this.#bytes.length - this.#length < 9) this.#grow(9)
    const at = this.#length
    this.#bytes[at] = length >>> 16
    this.#bytes[at + 1] = (length >>> 8) & 255
    this.#bytes[at + 2] = length & 255
    this.#bytes[at + 3] = type
    this.#bytes[at + 4] = flags
    this.#bytes[at + 5] = (stream >>> 24) & 255
    this.#bytes[at + 6] = (stream >>> 16) & 255
    this.#bytes[at + 7] = (stream >>> 8) & 255
    this.#bytes[at + 8] = stream & 255
    this.#length = at + 9
  }

  /** Writes a number of three bytes over those at `at`. */
  patchLength(at: number, value: number): void {
    this.#bytes[at] = value >>> 16
    this.#bytes[at + 1] = (value >>> 8) & 255
    this.#bytes[at + 2] = value & 255
  }

  /** Writes the number of a stream into the head of the frame at `at`. */
  patchStream(at: number, stream: number): void {
    this.#bytes[at + 5] = (stream >>> 24) & 255
    this.#bytes[at + 6] = (stream >>> 16) & 255
    this.#bytes[at + 7] = (stream >>> 8) & 255
    this.#bytes[at + 8] = stream & 255
  }

  clear(): void {
    this.#length = 0
  }

  /** Gives up memory that an empty writer has grown to. */
  shrink(): void {
    if (this.#length === 0 && this.#bytes.length > IDLE_ROOM) this.#bytes = Buffer.allocUnsafeSlow(IDLE_ROOM)
  }

  #grow(added: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#length + added))
    this.#bytes.copy(bytes, 0, 0, this.#length)
    this.#bytes = bytes
  }
}
