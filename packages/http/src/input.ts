const EMPTY = Buffer.alloc(0)
const SMALLEST_OWN_BUFFER = 512

/**
 * Bytes that were received and not yet used: `bytes` from `start` to `end`. A chunk that was pushed is its owner's, who uses it again after `keep`: what is left
 * then is copied, and so is what is handed out. Bytes that lie here are never overwritten.
 */
export class Input {
  bytes: Buffer
  start: number
  end: number
  /** Whether `bytes` was allocated here; there may be room behind `end`. */
  #own: boolean

  constructor() {
    this.bytes = EMPTY
    this.start = 0
    this.end = 0
    this.#own = false
  }

  get length(): number {
    return this.end - this.start
  }

  /** Borrows the first `count` bytes of a chunk when nothing waits; else appends it, doubling the room, so that a byte at a time stays linear. */
  push(chunk: Buffer, count: number): void {
    if (this.start === this.end) {
      this.bytes = chunk
      this.start = 0
      this.end = count
      this.#own = false
      return
    }
    if (!this.#own || this.bytes.length - this.end < count) this.#grow(count)
    chunk.copy(this.bytes, this.end, 0, count)
    this.end += count
  }

  /** Drops the first `count` bytes. */
  skip(count: number): void {
    this.start += count
    if (this.start === this.end) this.clear()
  }

  /** Hands out the first `count` bytes, for whoever wants to keep them. */
  take(count: number): Buffer {
    const piece = this.bytes.subarray(this.start, this.start + count)
    const kept = this.#own ? piece : Buffer.from(piece)
    this.skip(count)
    return kept
  }

  /** The owner of the chunk pushed last wants it back. */
  keep(): void {
    if (!this.#own && this.start !== this.end) this.#grow(0)
  }

  clear(): void {
    this.bytes = EMPTY
    this.start = 0
    this.end = 0
    this.#own = false
  }

  #grow(room: number): void {
    const length = this.end - this.start
    const bytes = Buffer.allocUnsafeSlow(Math.max(SMALLEST_OWN_BUFFER, 2 * (length + room)))
    this.bytes.copy(bytes, 0, this.start, this.end)
    this.bytes = bytes
    this.start = 0
    this.end = length
    this.#own = true
  }
}
