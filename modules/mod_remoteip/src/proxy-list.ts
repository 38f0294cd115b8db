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

  /** How far an address is believed as a proxy; null when it is none. Without any entry everybody is a proxy for clients of the Internet. */
  trustIn(address: Address): Trust | null {
    if (this.#entries.length === 0) return 'trusted'
    const internal = this.#internal.has(address)
    const trusted = this.#trusted.has(address)
    // Where both say so the first line counts.
    if (internal && trusted) return this.#entries.find(({ network }) => matchesNetwork(network, address))?.trust ?? null
    return internal ? 'internal' : trusted ? 'trusted' : null
  }
}

function networksOf(entries: readonly ProxyNetwork[], trust: Trust): readonly ProxyNetwork['network'][] {
  return entries.filter((entry) => entry.trust === trust).map(({ network }) => network)
}
