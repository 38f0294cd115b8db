import type { Claim } from '../prove/claim.ts'

/** Why another server cannot be asked; null when it can. */
export function obstacleTo({ byName, otherLogin, before, after, question }: Claim): string | null {
  if (byName) return 'rules here depend on host names of clients, which would require name servers'
  if (otherLogin) return 'users do not authenticate with Basic authentication'
  // Everybody is known there by a password of the proof's own, so nothing is left to fail in a file of passwords.
  if (question.credentials?.password != null && (before.status === 500 || after.status === 500))
    return 'a password file that cannot be read'
  if (/[^\x21-\x7e]/.test(question.target)) return 'a URL that cannot be sent'
  return null
}
