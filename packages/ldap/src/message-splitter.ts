import { MalformedMessage, sizeOfValue, TAG } from './ber.ts'

/** Cuts what a server sends into messages. Nothing is copied twice, however small the parts of a large message are. */
export class MessageSplitter {
  readonly #limit: number
  #parts: Buffer[] = []
  #length = 0
  /** Size of the message that has begun; null until its head is complete. */
  #needed: number | null = null

  /** @param limit the largest message in bytes */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** True if a message has begun and not ended. */
  get isInside(): boolean {
    return this.#length > 0
  }

  /**
   * The messages that the next bytes complete.
   * @throws MalformedMessage for something that is no message, or a larger one than the limit
   */
  *push(bytes: Buffer): Iterable<Buffer> {
    this.#parts.push(bytes)
    this.#length += bytes.length
    while (this.#length >= (this.#needed ??= this.#sizeOfNext())) {
      const whole = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts)
      const size = this.#needed
      this.#parts = whole.length > size ? [whole.subarray(size)] : []
      this.#length -= size
      this.#needed = null
      yield whole.subarray(0, size)
    }
    // More of the head is needed.
    if (this.#needed === Number.POSITIVE_INFINITY) this.#needed = null
  }

  #sizeOfNext(): number {
    if (this.#length < 2) return Number.POSITIVE_INFINITY
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)]
    if (this.#parts[0][0] !== TAG.sequence) throw new MalformedMessage('no message of LDAP')
    const size = sizeOfValue(this.#parts[0], 0)
    if (size === null) return Number.POSITIVE_INFINITY
    if (size.head + size.content > this.#limit) throw new MalformedMessage(`a message of ${size.content} bytes`)
    return size.head + size.content
  }
}
