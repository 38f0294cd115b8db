import type { AuthnStatus } from '@gatewright/api'
import type { AnonConfig } from './config.ts'

/**
 * Checks the name of a visitor, and an e-mail address as the password. Both strings have one byte per
 * character.
 */
export function checkVisitor(config: AnonConfig, user: string, email: string): AuthnStatus {
  if (!isVisitor(config, user)) return 'not-found'
  if (config.mustGiveEmail && email === '') return 'denied'
  if (config.verifyEmail && !(email.includes('@') && email.includes('.'))) return 'denied'
  return 'granted'
}

/**
 * Whether a name is that of a visitor. Without an Anonymous line there are none, even with
 * Anonymous_NoUserId.
 */
function isVisitor({ users, anyUser, noUserId }: AnonConfig, user: string): boolean {
  if (users === undefined && !anyUser) return false
  if (user === '') return noUserId
  return anyUser || users?.has(user.toLowerCase()) === true
}
