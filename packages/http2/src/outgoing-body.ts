import type { ByteWriter } from './byte-writer.ts'

/** The part of a response's body that was not framed yet. */
export class OutgoingBody {
  #chunks: Buffer[] | null = null
  /** Bytes of the first chunk that were taken. */
  #taken = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return
    if (this.#chunks === null) this.#chunks = [chunk]
    else this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  /** Moves the first bytes to `into`. @param count at most `length` */
  move(count: number, into: ByteWriter): void {
    this.#length -= count
    const chunks = this.#chunks ?? []
    for (let rest = count; rest > 0; ) {
      const [first] = chunks
      const end = Math.min(first.length, this.#taken + rest)
      into.chunk(first, this.#taken, end)
      rest -= end - this.#taken
      this.#taken = end
      if (end < first.length) return
      chunks.shift()
      this.#taken = 0
    }
  }

  clear(): void {
    this.#chunks = null
    this.#taken = 0
    this.#length = 0
  }
}
