import { type ChallengeType, isChallengeType } from '@gatewright/acme'
import type { ManagedDomain } from './managed-domain.ts'
import type { Registry } from './registry.ts'

/**
 * The kinds of proof for a domain, the preferred one first: those that are configured, or those that the server can
 * give; httpd's words when there is none.
 */
export function possibleChallenges(registry: Registry, md: ManagedDomain): readonly ChallengeType[] | string {
  if (md.challenges !== undefined) return md.challenges.map((type) => type.toLowerCase()).filter(isChallengeType)
  const hasCommand = md.dnsCommand !== undefined || registry.process.dnsCommand !== undefined
  const lacks: string[] = []
  const possible: ChallengeType[] = []
  if (!registry.canHttps) {
    lacks.push(" The https: challenge 'tls-alpn-01' is disabled because the server seems not reachable on public port 443.")
  } else if (md.acmeTlsDomains.length > 0) possible.push('tls-alpn-01')
  else {
    lacks.push(
      " The https: challenge 'tls-alpn-01' is disabled because the Protocols configuration does not include the 'acme-tls/1' protocol.",
    )
  }
  if (registry.canHttp) possible.push('http-01')
  else {
    lacks.unshift(" The http: challenge 'http-01' is disabled because the server seems not reachable on public port 80.")
  }
  if (hasCommand) possible.push('dns-01')
  else lacks.push(" The DNS challenge 'dns-01' is disabled because the directive 'MDChallengeDns01' is not configured.")
  if (possible.length > 0) return possible
  return `None of the ACME challenge methods configured for this domain are suitable.${lacks.join('')}`
}

/** The kinds for one of its names. @param isWildcard proven by dns-01 alone */
export function challengesFor(md: ManagedDomain, types: readonly ChallengeType[], name: string): readonly ChallengeType[] {
  return types.filter((type) => type !== 'tls-alpn-01' || md.acmeTlsDomains.includes(name) || md.challenges !== undefined)
}
