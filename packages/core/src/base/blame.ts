import { errorMessage } from './error-text.ts'
import { moduleOfStack } from './module-of-stack.ts'
import { withSourcePositions } from './source-positions.ts'

/** What a function of a module did wrong, for a message. */
export interface Blame {
  /** ` in mod_NAME` if the stack shows that another module failed than the one that was called; otherwise ''. */
  readonly where: string
  /** Advice with the position in the module's source, or in its file; undefined if the stack has none. */
  readonly hint: string | undefined
  readonly message: string
}

/** @param called the source name of the module whose function was called, such as `mod_authz_core.c` */
export function blameFor(error: unknown, called: string): Blame {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const place = placeInModule(error)
  const hint = place === undefined ? undefined : `the module is at fault, at ${place}: contact its author`
  return { where: otherModule(stack, called), hint, message: errorMessage(error) }
}

/** ` in mod_thr` if the innermost module of the stack is another one than `called`: the provider that failed, not its caller. */
export function otherModule(stack: string, called: string): string {
  const guilty = moduleOfStack(stack)
  return guilty === undefined || called === `mod_${guilty}.c` ? '' : ` in mod_${guilty}`
}

/** The innermost position of an error in a module; undefined if its stack has none. */
export function placeInModule(error: unknown): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frame = stack.split('\n').find((line) => moduleOfStack(line) !== undefined)
  if (frame === undefined) return undefined
  const call = /^\s*at (?:.*\()?(.*?)\)?$/.exec(withSourcePositions(frame))?.[1]
  return call?.replace(/^file:\/\//, '')
}
