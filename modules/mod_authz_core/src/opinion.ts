import type { MaybePromise, Request } from '@gatewright/api'
import type { SectionOpinion } from '@gatewright/api/tracing'
import type { AuthzConfig } from './config.ts'
import { evaluate } from './decision/evaluate.ts'

/**
 * The result of one section's Require directives for a request, as if no other section had any; null if it
 * has none.
 */
export function opinionOf(config: Readonly<AuthzConfig> | undefined, request: Request): MaybePromise<SectionOpinion> | null {
  const root = config?.root ?? null
  if (root === null) return null
  const status = evaluate(root, request, request.tracer)
  return typeof status === 'string' ? { root, status } : status.then((late) => ({ root, status: late }))
}
