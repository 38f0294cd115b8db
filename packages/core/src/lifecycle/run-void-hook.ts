import {
  type HookName,
  HTTP_INTERNAL_SERVER_ERROR,
  isRequestTooExpensive,
  type MaybePromise,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { otherModule } from '../base/blame.ts'
import { deadlineOf, withDeadline } from '../base/deadline.ts'
import { errorStack } from '../base/error-text.ts'
import { isThenable } from '../base/thenable.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { type HookCall, hookCall } from '../modules/hook-call.ts'
import type { SortedHook } from '../modules/hook-registry.ts'
import type { CoreLog } from '../services/error-log.ts'
import { tooExpensive } from '../services/too-expensive.ts'
import type { PhaseWork } from './phase.ts'

/**
 * The loop over the functions of a hook that has no result, as run-hook.ts is for hooks with outcomes. A
 * function that throws is logged with its module, and the other functions still run. A function that returns a promise, which does not compile, also counts as
 * failed, regardless of the promise: the server does not await it, and its work may be what protects a site.
 */
export class VoidHook<S> {
  readonly #name: HookName
  readonly #call: HookCall
  readonly #hook: SortedHook<(subject: S) => void>
  readonly #log: CoreLog

  constructor(name: HookName, hook: SortedHook<(subject: S) => void>, log: CoreLog) {
    this.#name = name
    this.#call = hookCall(name)
    this.#hook = hook
    this.#log = log
  }

  /** @returns false if a function threw or returned a promise */
  run(subject: S, request: Request | null): boolean {
    const { functions } = this.#hook
    let whole = true
    for (let index = 0; index < functions.length; index++) {
      try {
        const result: unknown = this.#call(functions[index], subject)
        if (isThenable(result)) {
          // After the response there is nothing left to protect.
          if (this.#name !== 'logTransaction') {
            whole = false
            this.#failed(request, index, PROMISED)
          }
          // The rejection of the promise is logged as well, for the author of the module.
          result.then(undefined, (error: unknown) => this.#failed(request, index, error))
        }
      } catch (error) {
        whole = false
        this.#failed(request, index, error)
      }
    }
    return whole
  }

  /**
   * The same for a hook with asynchronous functions: each starts after the previous one has settled.
   * @returns false if a function threw, rejected or timed out
   */
  runInTurns(subject: S, request: Request, deadline: number, first = 0): MaybePromise<boolean> {
    const { functions } = this.#hook
    let whole = true
    for (let index = first; index < functions.length; index++) {
      try {
        const result: unknown = this.#call(functions[index], subject)
        if (isThenable(result))
          return this.#continueAfter(withDeadline(result, deadline), whole, subject, request, deadline, index)
      } catch (error) {
        whole = false
        this.#failed(request, index, error)
      }
    }
    return whole
  }

  async #continueAfter(
    waiting: Promise<unknown>,
    sofar: boolean,
    subject: S,
    request: Request,
    deadline: number,
    index: number,
  ): Promise<boolean> {
    let whole = sofar
    try {
      await waiting
    } catch (error) {
      whole = false
      this.#failed(request, index, error)
    }
    return (await this.runInTurns(subject, request, deadline, index + 1)) && whole
  }

  #failed(request: Request | null, index: number, error: unknown): void {
    if (request !== null && isRequestTooExpensive(error)) tooExpensive(this.#log, request, error)
    else logHookFailure(this.#log, request, this.#name, this.#hook.owners[index].module.source, error)
  }
}

/**
 * The work of a row that runs a hook: HTTP_INTERNAL_SERVER_ERROR if one of the functions failed. They must be
 * synchronous.
 */
export function runAll(hook: VoidHook<RequestRecord>): PhaseWork {
  return (request) => outcomeOf(hook.run(request, request))
}

/** The same for asynchronous functions. */
export function runAllInTurns(hook: VoidHook<RequestRecord>): PhaseWork {
  return (request) => {
    const whole = hook.runInTurns(request, request, deadlineOf(request))
    return whole instanceof Promise ? whole.then(outcomeOf) : outcomeOf(whole)
  }
}

function outcomeOf(whole: boolean): Outcome {
  return whole ? OK : HTTP_INTERNAL_SERVER_ERROR
}

const PROMISED = 'it returned a promise, which is not awaited; move asynchronous work to a hook that is awaited, such as fixups'

/** The log line about a hook function that threw, rejected or timed out. */
export function logHookFailure(log: CoreLog, request: Request | null, name: HookName, source: string, error: unknown): void {
  const text = errorStack(error)
  const guilty = error instanceof Error ? otherModule(error.stack ?? '', source) : ''
  const occupation = request?.occupation ?? null
  if (request !== null) request.occupation = null
  log.write(
    request,
    'crit',
    '',
    `hook ${name} of ${source} failed${guilty}${occupation === null ? '' : ` at ${occupation}`}: ${text}`,
  )
}
