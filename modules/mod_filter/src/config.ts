import { emptyChain, joinChains, type MutableChain } from './chain.ts'
import type { SmartFilter } from './smart-filter.ts'

export interface FilterConfig {
  /** By name, letter for letter. One of a nearer section hides the one of the same name around it. */
  readonly filters: Map<string, SmartFilter>
  readonly chain: MutableChain
}

export function createFilterConfig(): FilterConfig {
  return { filters: new Map(), chain: emptyChain() }
}

export function mergeFilterConfig(base: Readonly<FilterConfig>, over: Readonly<FilterConfig>): FilterConfig {
  return { filters: new Map([...base.filters, ...over.filters]), chain: joinChains(base.chain, over.chain) }
}
