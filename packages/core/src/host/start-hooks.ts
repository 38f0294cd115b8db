import type { HookName, StartContext, StartHook, VoidStartHook } from '@gatewright/api'
import type { SortedHook } from '../modules/hook-registry.ts'

/**
 * Runs the functions of a start-up hook one after another.
 * @returns what went wrong, '' when a module failed without a word: its own text, or one that names hook and module when it threw
 */
export async function runStartHook(
  name: HookName,
  hook: SortedHook<StartHook>,
  context: StartContext,
): Promise<string | undefined> {
  for (const [index, run] of hook.functions.entries()) {
    try {
      const error = await run(context)
      if (typeof error === 'string') return error
    } catch (error) {
      return hookFailure(name, hook, index, error)
    }
  }
  return undefined
}

/** The same for hooks that have no result and must not wait. */
export function runVoidStartHook(name: HookName, hook: SortedHook<VoidStartHook>, context: StartContext): string | undefined {
  for (const [index, run] of hook.functions.entries()) {
    try {
      run(context)
    } catch (error) {
      return hookFailure(name, hook, index, error)
    }
  }
  return undefined
}

function hookFailure(name: HookName, { owners }: SortedHook<unknown>, index: number, error: unknown): string {
  return `hook ${name} of ${owners[index].module.source} failed: ${error instanceof Error ? error.message : String(error)}`
}
