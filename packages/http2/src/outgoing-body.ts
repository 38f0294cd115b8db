import type { ByteWriter } from './byte-writer.ts'

/** The part of a response's body that was not framed yet. */
export class OutgoingBody {
  #chunks: Buffer[] = []
  /** Bytes of the first chunk that were taken. */
  #taken = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** Moves the first bytes to `into`. @param count at most `length` */
  move(count: number, into: ByteWriter): void {
    this.#length -= count
    for (let rest = count; rest > 0; ) {
      const first = this.#chunks[0]
      const end = Math.min(first.length, this.#taken + rest)
      into.chunk(first, this.#taken, end)
      rest -= end - this.#taken
      this.#taken = end
      if (end < first.length) return
      this.#chunks.shift()
      this.#taken = 0
    }
  }

  clear(): void {
    this.#chunks = []
    this.#taken = 0
    this.#length = 0
  }
}
