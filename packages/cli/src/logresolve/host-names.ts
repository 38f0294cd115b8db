import { lookup, lookupService } from 'node:dns/promises'

/** What is known of an address: its name, or why it has none. */
export type FoundName = { readonly name: string } | 'no reverse' | 'double lookup failed'

/** Finds what is known of an address. */
export type Resolver = (address: string) => Promise<FoundName>

/** The resolver of the system. @param looksUpTwice whether the name must have the address */
export function systemResolver(looksUpTwice: boolean): Resolver {
  return async (address) => {
    let name: string
    try {
      name = (await lookupService(address, 0)).hostname
    } catch {
      return 'no reverse'
    }
    // The owner of an address chooses its name, which must not add words or lines to the log.
    if (!/^[\w.-]+$/.test(name)) return 'no reverse'
    if (!looksUpTwice) return { name }
    try {
      const addresses = await lookup(name, { all: true })
      return addresses.some((found) => found.address === address) ? { name } : 'double lookup failed'
    } catch {
      return 'double lookup failed'
    }
  }
}

/** Names that are remembered. When there are more, those that were found first are forgotten. */
const MOST_REMEMBERED = 1_000_000

/** The figures of a run. */
export interface Figures {
  entries: number
  /** Lines that do not begin with an address. */
  names: number
  resolves: number
  noReverse: number
  doubleFailed: number
  cacheHits: number
  cacheSize: number
}

/** Asks once about each address. */
export class HostNames {
  readonly #resolver: Resolver
  readonly #known = new Map<string, Promise<FoundName>>()
  readonly #figures: Figures

  constructor(resolver: Resolver, figures: Figures) {
    this.#resolver = resolver
    this.#figures = figures
  }

  find(address: string): Promise<FoundName> {
    const known = this.#known.get(address)
    if (known !== undefined) {
      this.#figures.cacheHits++
      return known
    }
    this.#figures.resolves++
    const found = this.#resolver(address).then((result) => {
      if (result === 'no reverse') this.#figures.noReverse++
      if (result === 'double lookup failed') this.#figures.doubleFailed++
      return result
    })
    if (this.#known.size >= MOST_REMEMBERED) {
      const [oldest] = this.#known.keys()
      this.#known.delete(oldest)
    }
    this.#known.set(address, found)
    this.#figures.cacheSize = this.#known.size
    return found
  }
}
