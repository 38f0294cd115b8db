const EMPTY = Buffer.alloc(0)
const SMALLEST_OWN_BUFFER = 512

/**
 * Bytes that were received and not yet used: `bytes` from `start` to `end`. Bytes once received are never overwritten, so a
 * piece that was handed out stays good for as long as somebody keeps it.
 */
export class Input {
  bytes: Buffer
  start: number
  end: number
  /** Whether `bytes` was allocated here and has room behind `end`. */
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

  /** Takes a chunk as it is when nothing waits; else appends it, doubling the room, so that a byte at a time stays linear. */
  push(chunk: Buffer): void {
    if (this.start === this.end) {
      this.bytes = chunk
      this.start = 0
      this.end = chunk.length
      this.#own = false
      return
    }
    if (!this.#own || this.bytes.length - this.end < chunk.length) this.#grow(chunk.length)
    chunk.copy(this.bytes, this.end)
    this.end += chunk.length
  }

  /** Drops the first `count` bytes. */
  skip(count: number): void {
    this.start += count
    if (this.start === this.end) this.clear()
  }

  /** Hands out the first `count` bytes without copying them. */
  take(count: number): Buffer {
    const piece = this.bytes.subarray(this.start, this.start + count)
    this.skip(count)
    return piece
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
