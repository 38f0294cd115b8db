import { emptyChain, joinChains, type MutableChain } from './chain.ts'
import type { SmartFilter } from './smart-filter.ts'

export interface FilterConfig {
  /**
   * By name, case-sensitive. A filter of an inner section hides the one with the same name in outer sections.
   */
  readonly filters: Map<string, SmartFilter>
  readonly chain: MutableChain
}

export function createFilterConfig(): FilterConfig {
  return { filters: new Map(), chain: emptyChain() }
}

export function mergeFilterConfig(base: Readonly<FilterConfig>, over: Readonly<FilterConfig>): FilterConfig {
  return { filters: new Map([...base.filters, ...over.filters]), chain: joinChains(base.chain, over.chain) }
}
