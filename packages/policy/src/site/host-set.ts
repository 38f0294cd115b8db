import type { HostWord } from './host-words.ts'

/** Order, Allow, Deny and Satisfy of one section, for one class of methods. */
export interface HostSet {
  readonly order: 'deny,allow' | 'allow,deny' | 'mutual-failure'
  /** The words after `from`, line by line. */
  readonly allow: readonly (readonly HostWord[])[]
  readonly deny: readonly (readonly HostWord[])[]
  readonly satisfy: 'all' | 'any'
}

/** How to read the old rules: as httpd executes them, or as the examples in the manual intend them. */
export type Intent = 'exact' | 'documented'

/**
 * True if the table in the manual differs from httpd: `Order allow,deny` with `Deny from all` denies every
 * client, regardless of Allow.
 */
export function isReadOtherwise({ order, allow, deny }: HostSet): boolean {
  const [allowed, denied] = [allow, deny].map((lines) => lines.flat().flatMap(({ values }) => values))
  return order !== 'deny,allow' && denied.some(isAll) && allowed.some((word) => !isAll(word))
}

/** The intended set. */
export function intended(set: HostSet, intent: Intent): HostSet {
  return intent === 'documented' && isReadOtherwise(set) ? { ...set, order: 'deny,allow' } : set
}

/** True if no host is mentioned: the set allows either all clients or none. */
export function namesNobody({ allow, deny }: HostSet): boolean {
  return allow.length === 0 && deny.length === 0
}

function isAll(word: string): boolean {
  return word.toLowerCase() === 'all'
}
