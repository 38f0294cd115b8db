import type { Address } from './address.ts'
import { Ipv4Masks } from './ipv4-masks.ts'
import { Ipv4Ranges } from './ipv4-ranges.ts'
import { Ipv6Ranges } from './ipv6-ranges.ts'
import type { Network } from './network.ts'

/** A fixed set of networks. */
export interface NetworkSet {
  /**
   * Whether at least one of the networks contains the address. The time is logarithmic in the number of
   * networks, times the number of different masks with holes. Allocates nothing.
   */
  has(address: Address): boolean
}

/**
 * Compiles networks for look-ups: each family becomes an array of sorted, disjoint ranges. Networks whose
 * mask has holes are not ranges and are kept by mask.
 */
export function compileNetworks(networks: Iterable<Network>): NetworkSet {
  const ipv4: Network[] = []
  const ipv6: Network[] = []
  const withHoles: Network[] = []
  for (const network of networks) {
    if (network.address.family === 6) ipv6.push(network)
    else if (isPrefix(network.mask.w0)) ipv4.push(network)
    else withHoles.push(network)
  }
  return new CompiledNetworks(new Ipv4Ranges(ipv4), new Ipv6Ranges(ipv6), new Ipv4Masks(withHoles))
}

class CompiledNetworks implements NetworkSet {
  readonly #ipv4: Ipv4Ranges
  readonly #ipv6: Ipv6Ranges
  readonly #withHoles: Ipv4Masks

  constructor(ipv4: Ipv4Ranges, ipv6: Ipv6Ranges, withHoles: Ipv4Masks) {
    this.#ipv4 = ipv4
    this.#ipv6 = ipv6
    this.#withHoles = withHoles
  }

  has(address: Address): boolean {
    if (address.family === 6) return this.#ipv6.has(address)
    return this.#ipv4.has(address.w0) || this.#withHoles.has(address.w0)
  }
}

function isPrefix(mask: number): boolean {
  const hostBits = ~mask >>> 0
  return (hostBits & (hostBits + 1)) === 0
}
