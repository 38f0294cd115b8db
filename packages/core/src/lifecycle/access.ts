import {
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_UNAUTHORIZED,
  OK,
  type OptionalFunctions,
  type Outcome,
} from '@gatewright/api'
import { satisfyOf } from '@gatewright/api/peers'
import type { AccessPhase } from '@gatewright/api/tracing'
import type { RequestRecord } from '../model/request-record.ts'
import { ACCESS_GRANTED, ACCESS_NEEDS_USER, ACCESS_UNDECIDED, ACCESS_WITHOUT_USER } from '../model/request-states.ts'
import type { WalkMemory } from '../sections/walk-memory.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { HookRows } from './hook-rows.ts'
import { notDeclined, type Phase, type PhaseRules, phase, type Verdict } from './phase.ts'

export interface AccessParts {
  readonly functions: OptionalFunctions
  readonly log: CoreLog
  /** Decides whether a request has the same configuration as the request before it. */
  readonly memory: WalkMemory
  /**
   * The same decision if every module declared that its access check depends on the configuration alone; used
   * by explanations.
   */
  readonly memoryWithout: WalkMemory
  /** Source names of the modules whose access function may base its decision on the request. */
  readonly decidingByRequest: readonly string[]
}

/**
 * The phases that decide whether the client may access the resource. Each phase runs only while
 * `request.access` shows that its question is open, and its verdict updates `request.access`: undecided, then
 * granted with or without a user. A phase that ends the request here denies access.
 */
export function accessPhases(hooks: HookRows, parts: AccessParts): readonly Phase[] {
  const { log } = parts
  const satisfyAny = (request: RequestRecord): boolean => parts.functions.get(satisfyOf)?.(request) === 'any'
  const unresolved = (task: string): Verdict => notDeclined(log, task)
  const uncheckedAddress = unresolved('check access (with Satisfy All)')
  const uncheckedRequire = unresolved('check access')
  const uncheckedUser = unresolved('check user')
  const unauthorized = unresolved('check authorization')

  /**
   * Order, Allow and Deny. With Satisfy Any they can grant access on their own, and a denial by them is not
   * final.
   */
  const judgeAddress: Verdict = (request, outcome) => {
    if (outcome === OK) {
      if (satisfyAny(request)) request.access = ACCESS_GRANTED
      return OK
    }
    // A check that failed is never bypassed.
    if (outcome !== HTTP_INTERNAL_SERVER_ERROR && satisfyAny(request)) return OK
    return uncheckedAddress(request, outcome)
  }

  /** Require. OK grants access without a user; DECLINED means that the decision needs the user's name. */
  const judgeRequire: Verdict = (request, outcome) => {
    if (outcome !== OK && outcome !== DECLINED) return uncheckedRequire(request, outcome)
    request.access = outcome === OK ? ACCESS_WITHOUT_USER : ACCESS_NEEDS_USER
    return OK
  }

  const judgeForcedUser: Verdict = (request, outcome) => {
    if (outcome !== OK && outcome !== DECLINED) return outcome
    request.access = outcome === OK ? ACCESS_NEEDS_USER : ACCESS_GRANTED
    return OK
  }

  const judgeUser: Verdict = (request, outcome) => {
    if (outcome !== OK) return uncheckedUser(request, outcome)
    if (request.user !== null) return OK
    const code = satisfyAny(request) ? 'AH00028' : 'AH00027'
    const text = `No authentication done but request not allowed without authentication for ${request.uri}. Authentication not configured?`
    log.write(request, 'error', code, text)
    return HTTP_INTERNAL_SERVER_ERROR
  }

  const judgeAuthorization: Verdict = (request, outcome) => {
    if (outcome === OK) request.access = ACCESS_GRANTED
    return unauthorized(request, outcome)
  }

  return [
    phase('sharedDecision', (request) => shareDecision(request, parts), { when: followsAnother }),
    row('accessChecker', hooks, undecided, judgeAddress),
    row('accessCheckerEx', hooks, undecided, judgeRequire),
    row('forceAuthn', hooks, admittedWithoutUser, judgeForcedUser),
    row('checkUserId', hooks, needsUser, judgeUser),
    row('authChecker', hooks, needsUser, judgeAuthorization),
  ]
}

/** True if access control ended the request with 401; the response then carries a challenge. */
export function isUnauthorized({ refusalStatus }: RequestRecord): boolean {
  return refusalStatus === HTTP_UNAUTHORIZED
}

function row(name: AccessPhase, hooks: HookRows, when: PhaseRules['when'], verdict: Verdict): Phase {
  const remembered: Verdict = (request, outcome) => {
    const end = verdict(request, outcome)
    if (end !== OK) request.refusalStatus = end
    return end
  }
  return hooks.phase(name, {
    when,
    verdict: remembered,
    trace: (request, tracer, outcome) => tracer.step(request, { kind: 'phase', phase: name, outcome }),
  })
}

function undecided({ access }: RequestRecord): boolean {
  return access === ACCESS_UNDECIDED
}

function admittedWithoutUser({ access }: RequestRecord): boolean {
  return access === ACCESS_WITHOUT_USER
}

function needsUser({ access }: RequestRecord): boolean {
  return access === ACCESS_NEEDS_USER
}

function followsAnother({ prev, main }: RequestRecord): boolean {
  return prev !== null || main !== null
}

/**
 * A sub-request or redirect that has the same configuration as the request before it shares that request's
 * decision.
 */
function shareDecision(request: RequestRecord, { memory, memoryWithout, decidingByRequest }: AccessParts): Outcome {
  const { tracer } = request
  const origin = sharing(request, memory)
  if (origin !== null) {
    request.user = origin.user
    request.authType = origin.authType
    request.access = ACCESS_GRANTED
    tracer?.step(request, { kind: 'decided before' })
  } else if (tracer !== null && sharing(request, memoryWithout) !== null) {
    tracer.step(request, { kind: 'decided again', modules: decidingByRequest })
  }
  return OK
}

/** The request before this one if it has the same configuration; otherwise null. */
function sharing(request: RequestRecord, memory: WalkMemory): RequestRecord | null {
  const { prev, main } = request
  if (prev !== null && memory.isSame(request, prev)) return prev
  return main !== null && memory.isSame(request, main) ? main : null
}
