/** Bytes of a shared block, and of the longest piece that goes into one. */
const BLOCK = 4096
const SMALL = 512

/**
 * Pieces of a body that nobody has taken yet. Small ones share blocks: a client chooses the size of its frames, and a buffer
 * for each byte would take a hundred times the memory that the window of flow control admits.
 */
export class WaitingChunks {
  #chunks: Buffer[] = []
  /** The block of which the last chunk is the beginning; null if the last chunk has its own memory. */
  #block: Buffer | null = null

  get isEmpty(): boolean {
    return this.#chunks.length === 0
  }

  /** How many buffers wait. */
  get count(): number {
    return this.#chunks.length
  }

  /** Copies the bytes of `source` from `start` to `end`. */
  push(source: Buffer, start: number, end: number): void {
    const length = end - start
    if (this.#chunks.length === 0 || length > SMALL) {
      this.#block = null
      this.#chunks.push(Buffer.from(source.subarray(start, end)))
      return
    }
    const block = this.#block
    const used = block === null ? 0 : this.#chunks[this.#chunks.length - 1].length
    if (block === null || used + length > BLOCK) {
      const next = Buffer.allocUnsafeSlow(BLOCK)
      source.copy(next, 0, start, end)
      this.#block = next
      this.#chunks.push(next.subarray(0, length))
      return
    }
    source.copy(block, used, start, end)
    this.#chunks[this.#chunks.length - 1] = block.subarray(0, used + length)
  }

  /** Takes the oldest piece. */
  shift(): Buffer | undefined {
    const chunk = this.#chunks.shift()
    if (this.#chunks.length === 0) this.#block = null
    return chunk
  }

  /** Forgets everything. @returns how many bytes waited */
  clear(): number {
    let bytes = 0
    for (const { length } of this.#chunks) bytes += length
    this.#chunks = []
    this.#block = null
    return bytes
  }
}
