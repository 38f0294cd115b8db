import type { JsonObject } from '@gatewright/tokens'
import type { RemoteUserClaim } from './config.ts'
import { claimText } from './provider.ts'

const STANDARD_CLAIM: RemoteUserClaim = { claim: 'sub', withIssuer: true, pattern: null, substitution: null }

/** The name of the user, in bytes; or why there is none. */
export function remoteUser(
  rule: RemoteUserClaim | undefined,
  {
    idClaims,
    userInfo,
    issuer,
  }: { readonly idClaims: JsonObject; readonly userInfo: JsonObject | null; readonly issuer: string },
): { readonly user: string } | { readonly fault: string } {
  const { claim, withIssuer, pattern, substitution } = rule ?? STANDARD_CLAIM
  const value = claimText(idClaims, claim) ?? (userInfo === null ? undefined : claimText(userInfo, claim))
  if (value === undefined) return { fault: `there is no claim ${claim}` }
  const full = withIssuer ? `${value}@${issuer.replace(/^https:\/\//, '')}` : value
  const user = pattern === null ? full : matched(pattern.match(full), substitution)
  if (user === null) return { fault: `the claim ${claim} does not match the pattern ${pattern?.source ?? ''}` }
  const isName = user !== '' && !/[\0-\x1f\x7f]/.test(user)
  return isName ? { user } : { fault: `the claim ${claim} is not a name` }
}

function matched(groups: readonly string[] | null, substitution: string | null): string | null {
  if (groups === null) return null
  if (substitution === null) return groups[1] ?? groups[0] ?? null
  return substitution.replace(/\$(\d)/g, (_all, number: string) => groups[Number(number)] ?? '')
}
