import type { HookName } from '@gatewright/api'

/** Calls a function of a hook. */
export type HookCall = <A, R>(fn: (argument: A) => R, argument: A) => R

/** Before the hook's name in the stack of a blocked process. */
const TITLE = 'hook '

/**
 * The call is a function whose own name is `hook NAME`. A process that is ended because it blocks prints only
 * its stack, so this name identifies the hook there, at no cost for a request.
 */
export function hookCall(name: HookName): HookCall {
  const title = `${TITLE}${name}`
  const calls: Readonly<Record<string, HookCall>> = { [title]: (fn, argument) => fn(argument) }
  return calls[title]
}
