import type { Claim } from '../prove/claim.ts'

/** Why another server cannot be asked; null if it can. */
export function obstacleTo({ byName, otherLogin, before, after, question }: Claim): string | null {
  if (byName) return 'rules here depend on host names of clients, which would require name servers'
  if (otherLogin) return 'users do not authenticate with Basic authentication'
  // All users have a password set by the proof there, so a password file cannot fail.
  if (question.credentials?.password != null && (before.status === 500 || after.status === 500))
    return 'a password file that cannot be read'
  if (/[^\x21-\x7e]/.test(question.target)) return 'a URL that cannot be sent'
  return null
}
