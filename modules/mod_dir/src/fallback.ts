import { DECLINED, httpStatus, type MaybePromise, OK, type Outcome, type Request } from '@gatewright/api'
import type { DirConfig } from './config.ts'
import { isErrorStatus, isRedirectStatus, isServable, passOn, resourceUri } from './lookup.ts'

/** FallbackResource: serves its path where nothing exists. */
export function tryFallback(request: Request, config: Readonly<DirConfig>): MaybePromise<Outcome> {
  const { fallback } = config
  if (fallback === undefined || fallback === null) return DECLINED
  const found = request.lookupUri(resourceUri(request, fallback))
  return found instanceof Promise ? found.then((sub) => judge(request, sub)) : judge(request, found)
}

function judge(request: Request, sub: Request): Outcome {
  if (isServable(sub)) {
    request.fastRedirect(sub)
    return OK
  }
  if (isRedirectStatus(sub.status)) return passOn(request, sub)
  return isErrorStatus(sub.status) ? httpStatus(sub.status) : DECLINED
}
