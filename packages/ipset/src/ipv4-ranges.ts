import type { Network } from './network.ts'
import { countUpTo } from './sorted-words.ts'

/** IPv4 networks of contiguous masks as sorted, disjoint ranges. */
export class Ipv4Ranges {
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array

  constructor(networks: readonly Network[]) {
    // Prefixes nest or are disjoint, so with the widest first each network is inside the last kept one or
    // after it.
    const sorted = networks.toSorted((a, b) => a.address.w0 - b.address.w0 || a.mask.w0 - b.mask.w0)
    const starts: number[] = []
    const ends: number[] = []
    let lastEnd = -1
    for (const { address, mask } of sorted) {
      if (address.w0 <= lastEnd) continue
      lastEnd = address.w0 + (~mask.w0 >>> 0)
      starts.push(address.w0)
      ends.push(lastEnd)
    }
    this.#starts = Uint32Array.from(starts)
    this.#ends = Uint32Array.from(ends)
  }

  has(bits: number): boolean {
    const count = countUpTo(this.#starts, bits)
    return count > 0 && bits <= this.#ends[count - 1]
  }
}
