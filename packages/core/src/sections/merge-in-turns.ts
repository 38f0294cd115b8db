import type { MaybePromise } from '@gatewright/api'
import type { MergedConfig } from '../model/merged-config.ts'
import type { SectionChain } from '../model/section-chain.ts'
import type { RequestWork } from '../work/request-work.ts'

/** A module's merge copies lists, which takes about this many microseconds. */
const STEPS_OF_A_MERGE = 8

/** Merges a chain of any length over a configuration and gives way to other requests in between. */
export function mergedOver(base: MergedConfig, chain: SectionChain, work: RequestWork): MaybePromise<MergedConfig> {
  return chain.isMerged ? base.with(chain) : mergeOn(base, chain, work, chain.mergeInSteps())
}

function mergeOn(
  base: MergedConfig,
  chain: SectionChain,
  work: RequestWork,
  merging: ReturnType<SectionChain['mergeInSteps']>,
): MaybePromise<MergedConfig> {
  for (let step = merging.next(); step.done !== true; step = merging.next()) {
    if (work.spend(STEPS_OF_A_MERGE)) return work.pause(step.value.place).then(() => mergeOn(base, chain, work, merging))
  }
  return base.with(chain)
}
