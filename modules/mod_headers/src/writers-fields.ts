import type { Rule } from './rule.ts'

/**
 * Response headers that the host writes itself, in lower case. Rules for them are not sent, because the field
 * would appear twice. In a response of another server, whose fields the host takes instead, rules change them.
 */
export const WRITERS_FIELDS: readonly string[] = ['date', 'server']

/** Whether a rule may set one of these fields. */
export function touchesWritersFields(rule: Rule): boolean {
  return rule.action === 'echo' || WRITERS_FIELDS.includes(rule.name.toLowerCase())
}
