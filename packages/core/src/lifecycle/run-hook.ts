import {
  DECLINED,
  DONE,
  HOOK_RULES,
  type HookName,
  HTTP_INTERNAL_SERVER_ERROR,
  isBodyRefused,
  isRequestTooExpensive,
  type MaybePromise,
  OK,
  type Outcome,
  type RequestHook,
} from '@gatewright/api'
import type { DecisionTracer } from '@gatewright/api/tracing'
import { withDeadline } from '../base/deadline.ts'
import { isFinalStatus } from '../base/final-status.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { type HookCall, hookCall } from '../modules/hook-call.ts'
import type { SortedHook } from '../modules/hook-registry.ts'
import type { LoadedModule } from '../modules/registry.ts'
import { UnreadableBody } from '../response/body-chunks.ts'
import type { CoreLog } from '../services/error-log.ts'
import { tooExpensive } from '../services/too-expensive.ts'
import { logHookFailure } from './run-void-hook.ts'

/** A hook function times out after this many milliseconds; the server's Timeout. */
type DeadlineOf = (request: RequestRecord) => number

/** Calls a function of a hook with a request. */
type RequestCall = (fn: RequestHook, request: RequestRecord) => MaybePromise<Outcome>

/**
 * The loop over the functions of one request hook, by the hook's combining rule: a driver of the rows that run
 * hooks, as run-phases.ts is the driver of all rows. Runs synchronously while the functions do. A function that
 * throws, rejects, times out or returns an invalid outcome causes a 500 and a log line that names it; it
 * never grants access.
 */
export class HookRunner {
  readonly #name: HookName
  readonly #call: HookCall
  readonly #functions: readonly RequestHook[]
  readonly #owners: readonly LoadedModule[]
  readonly #stopsAtOk: boolean
  readonly #log: CoreLog
  readonly #deadlineOf: DeadlineOf

  constructor(name: HookName, hook: SortedHook<RequestHook>, log: CoreLog, deadlineOf: DeadlineOf) {
    this.#name = name
    this.#call = hookCall(name)
    this.#functions = hook.functions
    this.#owners = hook.owners
    this.#stopsAtOk = HOOK_RULES[name] === 'run-first'
    this.#log = log
    this.#deadlineOf = deadlineOf
  }

  /** A property, so that a row of the table calls it directly. */
  readonly run = (request: RequestRecord): MaybePromise<Outcome> => {
    const functions = this.#functions
    const call: RequestCall = request.tracer === null ? this.#call : this.#traced(request.tracer)
    let index = 0
    try {
      for (; index < functions.length; index++) {
        const result = call(functions[index], request)
        if (typeof result !== 'number') return this.#continueAfter(request, result, index, call)
        if (result !== DECLINED && (this.#stopsAtOk || result !== OK)) return this.#checked(request, result, index)
      }
    } catch (error) {
      return this.#failed(request, index, error)
    }
    return this.#stopsAtOk ? DECLINED : OK
  }

  async #continueAfter(request: RequestRecord, waiting: Promise<Outcome>, from: number, call: RequestCall): Promise<Outcome> {
    let index = from
    try {
      let result = await this.#awaited(request, waiting)
      for (;;) {
        if (result !== DECLINED && (this.#stopsAtOk || result !== OK)) return this.#checked(request, result, index)
        index++
        if (index >= this.#functions.length) return this.#stopsAtOk ? DECLINED : OK
        const next = call(this.#functions[index], request)
        result = typeof next === 'number' ? next : await this.#awaited(request, next)
      }
    } catch (error) {
      return this.#failed(request, index, error)
    }
  }

  /** The call for an explained request: reports what the functions return. */
  #traced(tracer: DecisionTracer): RequestCall {
    const report = (request: RequestRecord, fn: RequestHook, outcome: Outcome): void => {
      const owner = this.#owners[this.#functions.indexOf(fn)]
      if (outcome === DECLINED || owner === undefined) return
      tracer.step(request, { kind: 'hook', hook: this.#name, module: owner.module.source, outcome })
    }
    return (fn, request) => {
      const result = this.#call(fn, request)
      if (typeof result === 'number') report(request, fn, result)
      // The loop that awaits the result handles a rejection.
      else
        result.then(
          (outcome) => report(request, fn, outcome),
          () => undefined,
        )
      return result
    }
  }

  /**
   * The time that a function waits for a redirect does not count, because each function that serves the
   * redirect has its own deadline. A handler that passes the request on, or runs a
   * program, has time limits of its own.
   */
  #awaited(request: RequestRecord, waiting: Promise<Outcome>): Promise<Outcome> {
    // Also without a timer, which nothing would ever let expire.
    if (this.#hasOwnLimits(request)) return Promise.resolve(waiting)
    return withDeadline(waiting, this.#deadlineOf(request), {
      isExtended: () => request.redirecting > 0 || this.#hasOwnLimits(request),
    })
  }

  #hasOwnLimits(request: RequestRecord): boolean {
    return this.#name === 'handler' && (request.limitsItsTime || request.proxyRequest !== null)
  }

  /**
   * An outcome that is not the status of a final response is a bug in the module: after a 1xx clients wait
   * for another response.
   */
  #checked(request: RequestRecord, result: Outcome, index: number): Outcome {
    if (this.#name === 'handler' && isLimitedStream(request)) request.limitedStreamOf = this.#owners[index].module.source
    if (result === OK || result === DECLINED || result === DONE || isFinalStatus(result)) return result
    const code = this.#name === 'handler' ? 'AH00524' : 'AH01579'
    const text =
      this.#name === 'handler'
        ? `Handler for ${request.handler ?? ''} returned invalid result code ${result}`
        : `Invalid response status ${result}`
    this.#log.write(request, 'error', code, `${text} (hook ${this.#name} of ${this.#owners[index].module.source})`)
    return HTTP_INTERNAL_SERVER_ERROR
  }

  #failed(request: RequestRecord, index: number, error: unknown): Outcome {
    // Not the module's fault, and already logged.
    if (this.#name === 'handler' && error instanceof UnreadableBody) return error.status
    if (isBodyRefused(error)) return this.#checked(request, error.status, index)
    if (isRequestTooExpensive(error)) return tooExpensive(this.#log, request, error)
    const owner = this.#owners[index]?.module.source ?? 'unknown module'
    logHookFailure(this.#log, request, this.#name, owner, error)
    return HTTP_INTERNAL_SERVER_ERROR
  }
}

/** Whether the response is a stream of the handler itself, which sets no time limit of its own. */
function isLimitedStream({ body, limitsItsTime, proxyRequest }: RequestRecord): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body && !limitsItsTime && proxyRequest === null
}
