import { isExpressionError } from '@gatewright/api'
import type { IfSection } from '../core-module/directory-config.ts'
import type { RequestRecord } from '../request/request-record.ts'
import type { MergedConfig } from './merged-config.ts'

/** An `<If>` whose expression failed. */
export interface IfFailure {
  readonly section: IfSection
  readonly reason: string
}

/**
 * Evaluates the `<If>`, `<ElseIf>` and `<Else>` sections of a configuration in order and merges those that apply; sections inside them are looked at
 * after all of the outer generation.
 */
export function ifWalk(request: RequestRecord, base: MergedConfig): MergedConfig | IfFailure {
  let config = base
  let sections = base.core.ifSections
  let seen = 0
  while (sections.length > seen) {
    const generation = sections.slice(seen)
    let chain = config.noSections
    seen = sections.length
    let satisfied = false
    for (const one of generation) {
      if (one.chain === 'if') satisfied = false
      if (satisfied) continue
      const holds = evaluate(one, request)
      if (typeof holds === 'string') return { section: one, reason: holds }
      request.tracer?.step(request, { kind: 'condition', section: one.section, holds })
      if (!holds) continue
      satisfied = true
      chain = chain.with(one.section)
    }
    config = config.with(chain)
    // What the merged sections added stands behind what was there.
    sections = config.core.ifSections
  }
  return config
}

function evaluate({ condition }: IfSection, request: RequestRecord): boolean | string {
  if (condition === null) return true
  try {
    return condition.test(request)
  } catch (error) {
    if (isExpressionError(error)) return error.message
    throw error
  }
}

export function isIfFailure(result: MergedConfig | IfFailure): result is IfFailure {
  return 'reason' in result
}
