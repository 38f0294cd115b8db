import type { AnyDirective } from '@gatewright/api'

/** The help of a directive as `-L` and messages print it: what is accepted without effect says so first. */
export function helpOf({ help, effect }: Pick<AnyDirective, 'help' | 'effect'>): string | undefined {
  if (effect !== 'none') return help
  return help === undefined ? 'accepted' : `accepted; ${help}`
}
