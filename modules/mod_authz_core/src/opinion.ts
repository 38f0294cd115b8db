import type { MaybePromise, Request } from '@gatewright/api'
import type { SectionOpinion } from '@gatewright/api/tracing'
import type { AuthzConfig } from './authz-config.ts'
import { evaluate } from './decision/evaluate.ts'

/** What the Require directives of one section say about a request, as though no other section had any; null when it has none. */
export function opinionOf(config: Readonly<AuthzConfig> | undefined, request: Request): MaybePromise<SectionOpinion> | null {
  const root = config?.root ?? null
  if (root === null) return null
  const status = evaluate(root, request, request.tracer)
  return typeof status === 'string' ? { root, status } : status.then((late) => ({ root, status: late }))
}
