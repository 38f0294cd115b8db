import type { LdapUser } from '@gatewright/api/peers'

/** A user as the cache keeps it. */
export interface CachedUser {
  readonly user: LdapUser
  /** Fingerprint of the password that was good; null for a user that was only searched for. */
  readonly password: string | null
}

/** The outcome of a comparison as the cache keeps it. */
export interface Comparison {
  readonly code: number
}

/** Whether an answer of the cache is one about a user. */
export function isCachedUser(value: unknown): value is CachedUser {
  if (typeof value !== 'object' || value === null || !('user' in value) || !('password' in value)) return false
  const { user, password } = value
  if (typeof user !== 'object' || user === null || !('dn' in user) || !('values' in user)) return false
  return typeof user.dn === 'string' && Array.isArray(user.values) && (password === null || typeof password === 'string')
}

/** Whether an answer of the cache is one to a comparison. */
export function isComparison(value: unknown): value is Comparison {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number'
}

/** Whether an answer of the cache is a list of groups. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
