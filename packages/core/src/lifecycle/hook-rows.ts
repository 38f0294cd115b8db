import type { HookName, HookTypes, RequestHook } from '@gatewright/api'
import { deadlineOf } from '../base/deadline.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { HookRegistry } from '../modules/hook-registry.ts'
import type { CoreLog } from '../services/error-log.ts'
import { type FinalPhase, type Phase, type PhaseRules, phase } from './phase.ts'
import { HookRunner } from './run-hook.ts'
import { runAll, runAllInTurns, VoidHook } from './run-void-hook.ts'

/** Hooks whose functions return an outcome. */
export type RequestHookName = {
  [K in HookName]: HookTypes[K] extends RequestHook ? K : never
}[HookName]

/** Hooks whose functions observe a request but do not influence its outcome. */
export type ObserverHookName = 'insertFilter' | 'insertErrorFilter' | 'fixupHeaders' | 'logTransaction'

/** Builds rows of the table from the hooks in which modules have registered functions. */
export class HookRows {
  readonly #lists: HookRegistry['lists']
  readonly #log: CoreLog

  constructor({ lists }: HookRegistry, log: CoreLog) {
    this.#lists = lists
    this.#log = log
  }

  /** True if no module has registered a function in the hook. */
  isEmpty(name: RequestHookName): boolean {
    return this.#lists[name].sorted().functions.length === 0
  }

  /** A row that runs a hook by its rule in HOOK_RULES. */
  phase(name: RequestHookName, rules?: PhaseRules): Phase {
    return phase(name, this.runner(name).run, rules)
  }

  /** Runs the functions of a hook by its rule in HOOK_RULES. */
  runner(name: RequestHookName): HookRunner {
    return new HookRunner(name, this.#lists[name].sorted(), this.#log, deadlineOf)
  }

  /**
   * A row that runs all functions of a hook, even if one fails, and then returns HTTP_INTERNAL_SERVER_ERROR
   * if one did. The functions must be synchronous.
   */
  observerPhase(name: ObserverHookName, rules?: PhaseRules): Phase {
    return phase(name, runAll(this.#observers(name)), rules)
  }

  /** The same for asynchronous functions. */
  waitingObserverPhase(name: ObserverHookName, rules?: PhaseRules): Phase {
    return phase(name, runAllInTurns(this.#observers(name)), rules)
  }

  /** A row after the response that runs all functions of a hook. They must be synchronous. */
  finalPhase(name: ObserverHookName): FinalPhase {
    const hook = this.#observers(name)
    return { name, run: (request) => void hook.run(request, request) }
  }

  #observers(name: ObserverHookName): VoidHook<RequestRecord> {
    return new VoidHook(name, this.#lists[name].sorted(), this.#log)
  }
}
