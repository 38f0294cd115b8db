import type { AuthnStatus } from '@gatewright/api'
import type { AnonConfig } from './anon-config.ts'

/** Whether a visitor may enter under a name with an address of electronic mail for the password. Both are byte strings. */
export function checkVisitor(config: AnonConfig, user: string, email: string): AuthnStatus {
  if (!isVisitor(config, user)) return 'not-found'
  if (config.mustGiveEmail && email === '') return 'denied'
  if (config.verifyEmail && !(email.includes('@') && email.includes('.'))) return 'denied'
  return 'granted'
}

/** Anonymous_NoUserId alone admits nobody: without an Anonymous line the provider knows no one. */
function isVisitor({ users, anyUser, noUserId }: AnonConfig, user: string): boolean {
  if (users === undefined && !anyUser) return false
  if (user === '') return noUserId
  return anyUser || users?.has(user.toLowerCase()) === true
}
