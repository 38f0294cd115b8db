import { type HookName, isRequestTooExpensive, type MaybePromise, type Request } from '@gatewright/api'
import { withDeadline } from '../base/deadline.ts'
import { isThenable } from '../base/thenable.ts'
import { type HookCall, hookCall } from '../modules/hook-call.ts'
import type { SortedHook } from '../modules/hook-registry.ts'
import type { CoreLog } from '../services/error-log.ts'
import { tooExpensive } from './too-expensive.ts'

/**
 * Runs the functions of a hook that has no result. One that throws is logged with its module, and the others run all the same. So is one that returns a promise, which does not compile and which
 * nobody waits for: what it was to do may be what protects a site, so it has failed, whatever becomes of the promise.
 */
export class VoidHook<S> {
  private readonly name: HookName
  private readonly call: HookCall
  private readonly hook: SortedHook<(subject: S) => void>
  private readonly log: CoreLog

  constructor(name: HookName, hook: SortedHook<(subject: S) => void>, log: CoreLog) {
    this.name = name
    this.call = hookCall(name)
    this.hook = hook
    this.log = log
  }

  /** @returns false when a function threw or returned a promise */
  run(subject: S, request: Request | null): boolean {
    const { functions } = this.hook
    let whole = true
    for (let index = 0; index < functions.length; index++) {
      try {
        const result: unknown = this.call(functions[index], subject)
        if (isThenable(result)) {
          // Behind the response there is nothing left to protect.
          if (this.name !== 'logTransaction') {
            whole = false
            this.failed(request, index, PROMISED)
          }
          // Whoever wrote it should learn of its failure as well.
          result.then(undefined, (error: unknown) => this.failed(request, index, error))
        }
      } catch (error) {
        whole = false
        this.failed(request, index, error)
      }
    }
    return whole
  }

  /**
   * The same for a hook whose functions may wait: one begins when the one before it has settled.
   * @returns false when a function threw, rejected or did not settle in time
   */
  runInTurns(subject: S, request: Request, deadline: number, first = 0): MaybePromise<boolean> {
    const { functions } = this.hook
    let whole = true
    for (let index = first; index < functions.length; index++) {
      try {
        const result: unknown = this.call(functions[index], subject)
        if (isThenable(result))
          return this.goOnAfter(withDeadline(Promise.resolve(result), deadline), whole, subject, request, deadline, index)
      } catch (error) {
        whole = false
        this.failed(request, index, error)
      }
    }
    return whole
  }

  private async goOnAfter(
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
      this.failed(request, index, error)
    }
    return (await this.runInTurns(subject, request, deadline, index + 1)) && whole
  }

  private failed(request: Request | null, index: number, error: unknown): void {
    if (request !== null && isRequestTooExpensive(error)) tooExpensive(this.log, request, error)
    else logHookFailure(this.log, request, this.name, this.hook.owners[index].module.source, error)
  }
}

const PROMISED =
  'it returned a promise, which nobody waits for; what has to wait belongs into a hook that is awaited, fixups for instance'

/** The line about a function of a hook that threw, rejected or never settled. */
export function logHookFailure(log: CoreLog, request: Request | null, name: HookName, source: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  log.write(request, 'crit', '', `hook ${name} of ${source} failed: ${text}`)
}
