import type { Address } from './address.ts'
import { matchesNetwork, type Network } from './network.ts'

/**
 * IPv6 networks, sorted and disjoint. The words of their first addresses are in one array, four for each
 * network.
 */
export class Ipv6Ranges {
  readonly #networks: readonly Network[]
  readonly #starts: Uint32Array

  constructor(networks: readonly Network[]) {
    const sorted = networks.toSorted((a, b) => compareWords(a.address, b.address) || compareWords(a.mask, b.mask))
    const kept: Network[] = []
    for (const network of sorted) {
      // Prefixes nest or are disjoint, and the widest of those with the same first address comes first.
      const last = kept.at(-1)
      if (last === undefined || !matchesNetwork(last, network.address)) kept.push(network)
    }
    this.#networks = kept
    this.#starts = new Uint32Array(4 * kept.length)
    for (const [index, { address: one }] of kept.entries()) this.#starts.set([one.w0, one.w1, one.w2, one.w3], 4 * index)
  }

  has(address: Address): boolean {
    let low = 0
    let high = this.#networks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#startsAfter(middle, address)) high = middle
      else low = middle + 1
    }
    return low > 0 && matchesNetwork(this.#networks[low - 1], address)
  }

  #startsAfter(index: number, address: Address): boolean {
    const starts = this.#starts
    const at = index * 4
    if (starts[at] !== address.w0) return starts[at] > address.w0
    if (starts[at + 1] !== address.w1) return starts[at + 1] > address.w1
    if (starts[at + 2] !== address.w2) return starts[at + 2] > address.w2
    return starts[at + 3] > address.w3
  }
}

function compareWords(a: Address, b: Address): number {
  return a.w0 - b.w0 || a.w1 - b.w1 || a.w2 - b.w2 || a.w3 - b.w3
}
