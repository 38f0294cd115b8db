const BITS = 8
const FIRST_BYTES = 4096

/** A set of whole numbers from 0 on, a bit for each: millions of request ids are to cost next to nothing. */
export class IdSet implements Iterable<number> {
  #bits = new Uint8Array(FIRST_BYTES)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @returns false when it was there already */
  add(id: number): boolean {
    const byte = Math.floor(id / BITS)
    if (byte >= this.#bits.length) this.#grow(byte)
    const bit = 1 << (id % BITS)
    if ((this.#bits[byte] & bit) !== 0) return false
    this.#bits[byte] |= bit
    this.#size++
    return true
  }

  has(id: number): boolean {
    return ((this.#bits[Math.floor(id / BITS)] ?? 0) & (1 << (id % BITS))) !== 0
  }

  *[Symbol.iterator](): Generator<number> {
    for (let byte = 0; byte < this.#bits.length; byte++) {
      if (this.#bits[byte] === 0) continue
      for (let bit = 0; bit < BITS; bit++) if ((this.#bits[byte] & (1 << bit)) !== 0) yield byte * BITS + bit
    }
  }

  #grow(byte: number): void {
    const bits = new Uint8Array(Math.max(2 * this.#bits.length, byte + 1))
    bits.set(this.#bits)
    this.#bits = bits
  }
}
