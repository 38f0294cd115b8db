import type { Snapshot } from '@gatewright/core'
import { moduleOfStack } from '../roles/module-of-stack.ts'

/**
 * Errors that no request owns: thrown in a timer of a module, or in a promise nobody waits for. Both are logged at crit with their module. After a
 * rejected promise the worker goes on; after a throw its state is unknown and `broken` is called.
 * @returns stops catching, as must be done before the process ends: an error of an exit handler would keep it alive
 */
export function catchStrayErrors(snapshot: Snapshot, broken: () => void): () => void {
  const onRejection = (reason: unknown): void => {
    snapshot.reportLine(guiltyModule(reason), 'crit', '', `unhandled promise rejection: ${describe(reason)}`)
  }
  const onException = (error: Error): void => {
    snapshot.reportLine(guiltyModule(error), 'crit', '', `uncaught error; this worker is replaced: ${describe(error)}`)
    broken()
  }
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return () => {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
  }
}

/** Short name of the module whose file is the first of the stack that belongs to one; `core` when none does. */
export function guiltyModule(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return moduleOfStack(stack) ?? 'core'
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).replaceAll(/\n\s*/g, ' ') : String(error)
}
