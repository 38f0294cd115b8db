import type { AnyDirective } from '@gatewright/api'

/** The help of a directive for `-L` and messages; it begins with a note if the directive has no effect. */
export function helpOf({ help, effect }: Pick<AnyDirective, 'help' | 'effect'>): string | undefined {
  if (effect !== 'none') return help
  return help === undefined ? 'accepted' : `accepted; ${help}`
}
