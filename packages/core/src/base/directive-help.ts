import type { AnyDirective } from '@gatewright/api'
import { shownText } from './shown-text.ts'

/** The help of a directive for `-L` and messages; it begins with a note if the directive has no effect. */
export function helpOf({ help: given, effect }: Pick<AnyDirective, 'help' | 'effect'>): string | undefined {
  const help = given === undefined ? undefined : shownText(given)
  if (effect !== 'none') return help
  return help === undefined ? 'accepted' : `accepted; ${help}`
}
