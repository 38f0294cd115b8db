import type { HookName } from '@gatewright/api'

/** Calls a function of a hook. */
export type HookCall = <A, R>(fn: (argument: A) => R, argument: A) => R

/** The text before the hook's name in the stack of a blocked process. */
const TITLE = 'hook '

/**
 * The call runs in a function named `hook NAME`. For a process that is ended because it blocks, only the
 * stack is printed, and this name identifies the hook there, at no cost for a request.
 */
export function hookCall(name: HookName): HookCall {
  const title = `${TITLE}${name}`
  const calls: Readonly<Record<string, HookCall>> = { [title]: (fn, argument) => fn(argument) }
  return calls[title]
}
