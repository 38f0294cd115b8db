import { HTTP_INTERNAL_SERVER_ERROR, httpStatus, OK, type OptionalFunctions, type Outcome } from '@gatewright/api'
import { authTypeOf } from '@gatewright/api/peers'
import { isThenable } from '../base/thenable.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { SortedHook } from '../modules/hook-registry.ts'
import type { CoreLog } from '../services/error-log.ts'
import { isUnauthorized } from './access.ts'
import { type Phase, phase } from './phase.ts'
import { logHookFailure } from './run-void-hook.ts'

export type ChallengeHook = SortedHook<(request: RequestRecord, authType: string) => Outcome>

/** A proxy that asks for credentials of its own (RFC 9110, section 11.7) answers with this status. */
const PROXY_UNAUTHORIZED = httpStatus(407)

/**
 * The phase that adds WWW-Authenticate to a 401, or Proxy-Authenticate if the client uses this server as a proxy: then
 * the status becomes 407. The module that implements the request's AuthType adds the field, unless it is already set.
 */
export function challengePhase({ functions, owners }: ChallengeHook, optional: OptionalFunctions, log: CoreLog): Phase {
  const challenge = (request: RequestRecord): Outcome => {
    const isForward = request.proxyRequest === 'forward'
    const noted = isForward ? PROXY_UNAUTHORIZED : OK
    if (request.existingErrHeadersOut?.has(isForward ? 'Proxy-Authenticate' : 'WWW-Authenticate') === true) return noted
    const authType = optional.get(authTypeOf)?.(request) ?? null
    if (authType === null) {
      log.write(request, 'error', 'AH00571', `need AuthType to note auth failure: ${request.unparsedUri}`)
      return noted
    }
    for (let index = 0; index < functions.length; index++) {
      try {
        const outcome: unknown = functions[index](request, authType)
        if (isThenable(outcome)) throw new TypeError('it returned a promise, which is not awaited')
        if (outcome === OK) break
      } catch (error) {
        logHookFailure(log, request, 'noteAuthFailure', owners[index].module.source, error)
        return HTTP_INTERNAL_SERVER_ERROR
      }
    }
    return noted
  }
  return phase('noteAuthFailure', challenge, { on: 'failure', when: isUnauthorized })
}
