import type { DirectivePlace, Pattern } from '@gatewright/api'
import type { Template } from '@gatewright/api/text'

/** `Redirect [STATUS] PREFIX [TARGET]`. */
export interface PrefixRedirect {
  readonly kind: 'prefix'
  readonly prefix: string
  /** '' if the status takes no target. */
  readonly target: string
  readonly status: number
  readonly place: DirectivePlace
}

/** `RedirectMatch [STATUS] REGEX [TARGET]`. */
export interface PatternRedirect {
  readonly kind: 'pattern'
  readonly pattern: Pattern
  readonly target: Template
  readonly status: number
  readonly place: DirectivePlace
}

export type RedirectRule = PrefixRedirect | PatternRedirect

/** Whether a status requires a target; all others do not permit one. */
export function isRedirection(status: number): boolean {
  return status >= 300 && status <= 399
}
