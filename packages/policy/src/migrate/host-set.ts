import type { HostWord } from './host-words.ts'

/** Order, Allow, Deny and Satisfy of one section, for one class of methods. */
export interface HostSet {
  readonly order: 'deny,allow' | 'allow,deny' | 'mutual-failure'
  /** The words behind `from`, line by line. */
  readonly allow: readonly (readonly HostWord[])[]
  readonly deny: readonly (readonly HostWord[])[]
  readonly satisfy: 'all' | 'any'
}

/** How the old rules are to be read: as httpd acts on them, or as the manual's examples say they are meant. */
export type Intent = 'exact' | 'documented'

/** True where the manual's table says something else than httpd does: `Order allow,deny` with `Deny from all` lets nobody in, whatever Allow says. */
export function isReadOtherwise({ order, allow, deny }: HostSet): boolean {
  const [allowed, denied] = [allow, deny].map((lines) => lines.flat().flatMap(({ values }) => values))
  return order !== 'deny,allow' && denied.some(isAll) && allowed.some((word) => !isAll(word))
}

/** The set that is meant. */
export function intended(set: HostSet, intent: Intent): HostSet {
  return intent === 'documented' && isReadOtherwise(set) ? { ...set, order: 'deny,allow' } : set
}

/** True when nothing is said of any host: the set lets everybody in, or nobody. */
export function namesNobody({ allow, deny }: HostSet): boolean {
  return allow.length === 0 && deny.length === 0
}

function isAll(word: string): boolean {
  return word.toLowerCase() === 'all'
}
