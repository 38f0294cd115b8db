/**
 * Reads fields of a TLS message from first to last. Beyond the end it reads zeros and empty vectors and notes the failure, so that
 * bytes of a client never cause an exception.
 */
export class HelloFields {
  readonly #bytes: Buffer
  readonly #end: number
  #at: number
  #failed = false

  constructor(bytes: Buffer, start: number = 0, end: number = bytes.length) {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
  }

  /** Whether a field was longer than what was left. */
  get failed(): boolean {
    return this.#failed
  }

  /** How many bytes are left. */
  get remaining(): number {
    return this.#end - this.#at
  }

  /** A number of one byte. */
  uint8(): number {
    const at = this.#take(1)
    return at < 0 ? 0 : this.#bytes[at]
  }

  /** A number of two bytes. */
  uint16(): number {
    const at = this.#take(2)
    return at < 0 ? 0 : this.#bytes.readUInt16BE(at)
  }

  /** Passes over bytes. */
  skip(count: number): void {
    this.#take(count)
  }

  /** A vector whose length has one byte. */
  vector8(): HelloFields {
    return this.#vector(this.uint8())
  }

  /** A vector whose length has two bytes. */
  vector16(): HelloFields {
    return this.#vector(this.uint16())
  }

  /** All that is left, as numbers of two bytes. @returns undefined if a byte is left over */
  uint16List(): readonly number[] | undefined {
    if (this.remaining % 2 !== 0) return undefined
    const bytes = this.#bytes
    const list: number[] = []
    for (let at = this.#at; at < this.#end; at += 2) list.push((bytes[at] << 8) | bytes[at + 1])
    this.#at = this.#end
    return list
  }

  /** All that is left, as a byte string. */
  text(): string {
    return this.#bytes.toString('latin1', this.#at, this.#end)
  }

  #vector(length: number): HelloFields {
    const at = this.#take(length)
    return at < 0 ? new HelloFields(this.#bytes, 0, 0) : new HelloFields(this.#bytes, at, at + length)
  }

  /** @returns where the bytes begin, or -1 if there are too few; then nothing is left */
  #take(count: number): number {
    const at = this.#at
    if (count > this.#end - at) {
      this.#failed = true
      this.#at = this.#end
      return -1
    }
    this.#at = at + count
    return at
  }
}
