import type { ServerRuntime } from '@gatewright/core'
import { moduleOfStack } from '../roles/module-of-stack.ts'

/**
 * Handles errors that no request owns: thrown in a timer of a module, or in a promise without a handler. Both
 * are logged at crit with their module. After an unhandled rejection, the worker continues; after an uncaught
 * error, its state is unknown and `broken` is called.
 * @returns a function that stops the handling; call it before the process ends, because an error in an exit
 * handler would keep the process alive
 */
export function catchStrayErrors(runtime: ServerRuntime, broken: () => void): () => void {
  const onRejection = (reason: unknown): void => {
    runtime.reportLine(guiltyModule(reason), 'crit', '', `unhandled promise rejection: ${describe(reason)}`)
  }
  const onException = (error: Error): void => {
    runtime.reportLine(guiltyModule(error), 'crit', '', `uncaught error; this worker is replaced: ${describe(error)}`)
    broken()
  }
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return () => {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
  }
}

/** Short name of the first module in the stack, recognized by its file; `core` if there is none. */
export function guiltyModule(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return moduleOfStack(stack) ?? 'core'
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).replaceAll(/\n\s*/g, ' ') : String(error)
}
