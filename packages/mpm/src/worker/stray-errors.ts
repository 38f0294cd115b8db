import type { ServerRuntime } from '@gatewright/core'
import { moduleOfStack, withSourcePositions } from '@gatewright/core/stacks'

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
  const restoreExit = reportExits(runtime)
  return () => {
    restoreExit()
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
  }
}

/** Logs which code ends the process by `process.exit`: otherwise only the exit status would be known. */
function reportExits(runtime: ServerRuntime): () => void {
  const { exit } = process
  process.exit = (code) => {
    const call = new Error(`process.exit(${code ?? ''})`)
    runtime.reportLine(guiltyModule(call), 'crit', '', `this worker ends, because code calls process.exit: ${describe(call)}`)
    runtime.flushLogs()
    return exit.call(process, code)
  }
  return () => {
    process.exit = exit
  }
}

/** Short name of the first module in the stack, recognized by its file; `core` if there is none. */
export function guiltyModule(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return moduleOfStack(stack) ?? 'core'
}

function describe(error: unknown): string {
  return error instanceof Error ? withSourcePositions(error.stack ?? error.message).replaceAll(/\n\s*/g, ' ') : String(error)
}
