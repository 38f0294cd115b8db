import { DECLINED, httpStatus, type MaybePromise, OK, type Outcome, type Request, whenSettled } from '@gatewright/api'
import { traceDirective } from '@gatewright/api/tracing'
import type { DirConfig } from './config.ts'
import { isErrorStatus, isRedirectStatus, isServable, passOn, resourceUri } from './lookup.ts'

/** FallbackResource: serves its path if no file exists. */
export function tryFallback(request: Request, config: Readonly<DirConfig>): MaybePromise<Outcome> {
  const { fallback } = config
  if (fallback === undefined || fallback === null) return DECLINED
  const found = request.lookupUri(resourceUri(request, fallback))
  return whenSettled(found, (sub) => judge(request, config, sub))
}

function judge(request: Request, config: Readonly<DirConfig>, sub: Request): Outcome {
  if (isServable(sub)) {
    if (request.tracer !== null) traceDirective(request, 'FallbackResource', config.fallbackPlace, `serves ${sub.uri}`)
    request.fastRedirect(sub)
    return OK
  }
  if (isRedirectStatus(sub.status)) return passOn(request, sub)
  return isErrorStatus(sub.status) ? httpStatus(sub.status) : DECLINED
}
