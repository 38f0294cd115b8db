import type { HookName, Problem, StartContext, StartHook, VoidStartHook } from '@gatewright/api'
import { withDeadline } from '../base/deadline.ts'
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

/**
 * Runs the functions of a start-up hook one after another.
 * @param deadline milliseconds that each of them has
 * @returns what went wrong, with an empty message when a module failed without a word: as it said, or naming
 * hook and module when it threw or did not settle
 */
export async function runStartHook(
  name: HookName,
  hook: SortedHook<StartHook>,
  context: StartContext,
  deadline: number = DEADLINE,
): Promise<Problem | undefined> {
  const call = hookCall(name)
  for (const [index, run] of hook.functions.entries()) {
    try {
      const result = call(run, context)
      const error = isThenable(result) ? await withDeadline(result, deadline) : result
      if (typeof error === 'string' || isProblem(error)) return problemOf(error)
    } catch (error) {
      return hookFailure(name, hook, index, error)
    }
  }
  return undefined
}

/**
 * The same for hooks that have no result. A promise is awaited, whatever their type says of it: what follows
 * relies on what they do.
 */
export async function runVoidStartHook(
  name: HookName,
  hook: SortedHook<VoidStartHook>,
  context: StartContext,
  deadline: number = DEADLINE,
): Promise<Problem | undefined> {
  const call = hookCall(name)
  for (const [index, run] of hook.functions.entries()) {
    try {
      const result: unknown = call(run, context)
      if (isThenable(result)) await withDeadline(result, deadline)
    } catch (error) {
      return hookFailure(name, hook, index, error)
    }
  }
  return undefined
}

/** A module without types may return anything; a value that is not a failure counts as none. */
function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
}

function hookFailure(name: HookName, { owners }: SortedHook<unknown>, index: number, error: unknown): Problem {
  const reason = errorMessage(error)
  return { message: `hook ${name} of ${owners[index].module.source} failed: ${reason}` }
}
