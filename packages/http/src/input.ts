const EMPTY = Buffer.alloc(0)
const SMALLEST_OWN_BUFFER = 512

/**
 * Received bytes that have not been used: `bytes` from `start` to `end`. A pushed chunk belongs to its owner,
 * who reuses it after `keep`. Therefore the rest is copied then, and so is everything that is returned. Bytes
 * stored here are never overwritten.
 */
export class Input {
  bytes: Buffer
  start: number
  end: number
  /** Whether `bytes` was allocated here; there may be free capacity after `end`. */
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

  /**
   * Borrows the first `count` bytes of a chunk if the input is empty; otherwise appends them, doubling the
   * capacity, so that single bytes take linear time.
   */
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

  /** Returns a copy of the first `count` bytes, which the caller may keep. */
  take(count: number): Buffer {
    const piece = this.bytes.subarray(this.start, this.start + count)
    const kept = this.#own ? piece : Buffer.from(piece)
    this.skip(count)
    return kept
  }

  /** Called before the owner of the last pushed chunk reuses it: copies the rest. */
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
