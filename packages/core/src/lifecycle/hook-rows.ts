import { HOOK_RULES, type HookName, type HookTypes, OK, type RequestHook } from '@gatewright/api'
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

/** Hooks of requests whose functions do not return an outcome. */
export type VoidHookName = 'insertFilter' | 'insertErrorFilter' | 'fixupHeaders' | 'logTransaction'

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
    return this.#hasNone(name)
  }

  /** The identifiers of the modules with functions in a hook. */
  owners(name: RequestHookName): string[] {
    return this.#lists[name].sorted().owners.map(({ module }) => module.name)
  }

  /** A row that runs a hook by its rule in HOOK_RULES. */
  phase(name: RequestHookName, rules?: PhaseRules): Phase {
    // Without functions, a hook of the rule run-first is declined, which may be an error.
    return phase(name, this.runner(name).run, rules, HOOK_RULES[name] !== 'run-first' && this.#hasNone(name))
  }

  /** The same for a hook that nobody need answer: without functions, the row does nothing. */
  optionalPhase(name: RequestHookName, rules?: PhaseRules): Phase {
    return this.#hasNone(name) ? phase(name, () => OK, {}, true) : phase(name, this.runner(name).run, rules)
  }

  /** Runs the functions of a hook by its rule in HOOK_RULES. */
  runner(name: RequestHookName): HookRunner {
    return new HookRunner(name, this.#lists[name].sorted(), this.#log, deadlineOf)
  }

  /**
   * A row that runs all functions of a hook, even if one fails, and then returns HTTP_INTERNAL_SERVER_ERROR
   * if one did. The functions must be synchronous.
   */
  voidPhase(name: VoidHookName, rules?: PhaseRules): Phase {
    return phase(name, runAll(this.#voidHook(name)), rules, this.#hasNone(name))
  }

  /** The same for asynchronous functions. */
  asyncVoidPhase(name: VoidHookName, rules?: PhaseRules): Phase {
    return phase(name, runAllInTurns(this.#voidHook(name)), rules, this.#hasNone(name))
  }

  /** A row after the response that runs all functions of a hook. They must be synchronous. */
  finalPhase(name: VoidHookName): FinalPhase {
    const hook = this.#voidHook(name)
    return { name, run: (request) => void hook.run(request, request) }
  }

  #hasNone(name: HookName): boolean {
    return this.#lists[name].sorted().functions.length === 0
  }

  #voidHook(name: VoidHookName): VoidHook<RequestRecord> {
    return new VoidHook(name, this.#lists[name].sorted(), this.#log)
  }
}
