import type { Problem } from '@gatewright/api'

/** What people read of a problem: its message, then its hint on a line of its own. */
export function problemLines({ message, hint }: Pick<Problem, 'message' | 'hint'>): string[] {
  return hint === undefined ? [message] : [message, `hint: ${hint}`]
}
