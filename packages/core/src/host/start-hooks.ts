import type { HookName, Problem, StartContext, StartHook, VoidStartHook } from '@gatewright/api'
import { blameFor } from '../base/blame.ts'
import { type DeadlineRules, withDeadline } from '../base/deadline.ts'
import { errorMessage } from '../base/error-text.ts'
import { problemOf } from '../base/problem.ts'
import { isThenable } from '../base/thenable.ts'
import { hookCall } from '../modules/hook-call.ts'
import type { SortedHook } from '../modules/hook-registry.ts'

/**
 * Timeout of a function in ms. Processes that load have twice the time, so that this is reported before they
 * are ended.
 */
const DEADLINE = 30_000

/** The time limit of a start-up function. */
export interface StartHookLimit extends Pick<DeadlineRules, 'isExtended'> {
  /** Milliseconds. */
  readonly deadline?: number
  /** Whether functions that the system denies something are passed over, in a process that may only read. */
  readonly isConfined?: boolean
}

/**
 * Runs the functions of a start-up hook one after another.
 * @returns the problem, with an empty message if a module failed without a text: as returned by the function,
 *   or with the names of hook and module if the function threw or did not settle
 */
export async function runStartHook(
  name: HookName,
  hook: SortedHook<StartHook>,
  context: StartContext,
  { deadline = DEADLINE, isExtended, isConfined = false }: StartHookLimit = {},
): Promise<Problem | undefined> {
  const call = hookCall(name)
  for (const [index, run] of hook.functions.entries()) {
    try {
      const result = call(run, context)
      const error = isThenable(result) ? await withDeadline(result, deadline, { isExtended }) : result
      const isRefusal = typeof error === 'string' || isProblem(error)
      if (isRefusal && !(isConfined && isDenied(problemOf(error).message))) return problemOf(error)
    } catch (error) {
      if (isConfined && isDenied(errorMessage(error))) continue
      return hookFailure(name, hook, index, error)
    }
  }
  return undefined
}

/**
 * Like `runStartHook`, for hooks without a result. A promise is awaited, even if the type does not allow it,
 * because later steps depend on the hooks.
 */
export async function runVoidStartHook(
  name: HookName,
  hook: SortedHook<VoidStartHook>,
  context: StartContext,
  { deadline = DEADLINE, isConfined = false }: StartHookLimit = {},
): Promise<Problem | undefined> {
  const call = hookCall(name)
  for (const [index, run] of hook.functions.entries()) {
    try {
      const result: unknown = call(run, context)
      if (isThenable(result)) await withDeadline(result, deadline)
    } catch (error) {
      if (isConfined && isDenied(errorMessage(error))) continue
      return hookFailure(name, hook, index, error)
    }
  }
  return undefined
}

/** What Node answers a process that runs with `--permission`. */
function isDenied(message: string): boolean {
  return message.includes('Access to this API has been restricted') || message.includes('ERR_ACCESS_DENIED')
}

/** A module without types may return anything; a value that is not a failure is ignored. */
function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
}

function hookFailure(name: HookName, { owners }: SortedHook<unknown>, index: number, error: unknown): Problem {
  const { source } = owners[index].module
  const { where, message, hint } = blameFor(error, source)
  return { message: `hook ${name} of ${source} failed${where}: ${message}`, hint }
}
