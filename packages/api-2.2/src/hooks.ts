import type { Outcome } from './outcome.ts'
import type { Request } from './request.ts'

/** Ranks of this line. */
export type HookRank = 'really-first' | 'first' | 'middle' | 'last' | 'really-last'

export type RequestHook = (request: Request) => Outcome

/** Hangs a function in; the lists name the source files of modules to run behind and in front of. */
export type AddHook<F> = (
  fn: F,
  predecessors?: readonly string[] | null,
  successors?: readonly string[] | null,
  rank?: HookRank,
) => void

/** The hooks of this line, in the order a request meets them. There is no accessCheckerEx, and no provider of Require forms. */
export interface Hooks {
  readonly postReadRequest: AddHook<RequestHook>
  readonly translateName: AddHook<RequestHook>
  readonly mapToStorage: AddHook<RequestHook>
  readonly headerParser: AddHook<RequestHook>
  readonly accessChecker: AddHook<RequestHook>
  readonly checkUserId: AddHook<RequestHook>
  readonly authChecker: AddHook<RequestHook>
  readonly typeChecker: AddHook<RequestHook>
  readonly fixups: AddHook<RequestHook>
  readonly handler: AddHook<RequestHook>
  readonly logTransaction: AddHook<(request: Request) => void>
}
