import type { Rule } from './rule.ts'

/** Response headers that the host writes itself, in small letters: what rules do to them stays in the tables, so that it is not sent twice. */
export const WRITERS_FIELDS: readonly string[] = ['date', 'server', 'transfer-encoding']

/** True when a rule may put one of them into a table. */
export function touchesWritersFields(rule: Rule): boolean {
  return rule.action === 'echo' || WRITERS_FIELDS.includes(rule.name.toLowerCase())
}
