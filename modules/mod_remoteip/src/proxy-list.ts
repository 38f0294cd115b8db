import { type Address, compileNetworks, matchesNetwork, type NetworkSet } from '@gatewright/ipset'
import type { ProxyNetwork, Trust } from './config.ts'

/** The proxies of one server. */
export class ProxyList {
  readonly #entries: readonly ProxyNetwork[]
  readonly #internal: NetworkSet
  readonly #trusted: NetworkSet

  constructor(entries: readonly ProxyNetwork[]) {
    this.#entries = entries
    this.#internal = compileNetworks(networksOf(entries, 'internal'))
    this.#trusted = compileNetworks(networksOf(entries, 'trusted'))
  }

  /** Whether an entry contains the address. */
  lists(address: Address): boolean {
    return this.#entries.length > 0 && this.trustIn(address) !== null
  }

  /**
   * How an address is trusted as a proxy; null if it is not one. Without any entries, every address is a
   * proxy for public client addresses.
   */
  trustIn(address: Address): Trust | null {
    if (this.#entries.length === 0) return 'trusted'
    const internal = this.#internal.has(address)
    const trusted = this.#trusted.has(address)
    // If both match, the first line counts.
    if (internal && trusted) return this.#entries.find(({ network }) => matchesNetwork(network, address))?.trust ?? null
    return internal ? 'internal' : trusted ? 'trusted' : null
  }
}

function networksOf(entries: readonly ProxyNetwork[], trust: Trust): readonly ProxyNetwork['network'][] {
  return entries.filter((entry) => entry.trust === trust).map(({ network }) => network)
}
