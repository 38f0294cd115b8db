import { type HostSet, type Intent, intended, namesNobody } from '../site/host-set.ts'
import { allOf, anyOf, GRANTED, mayBeNeutral, type Requirement } from '../site/requirement.ts'
import { hostRequirement } from './host-requirement.ts'

/** The rules in force for a request of one class of methods. */
export interface InForce {
  /** The old rules of the last section that has any; null where none has. */
  readonly host: HostSet | null
  /** The Require lines of the last section that has any; null where none has. */
  readonly require: Requirement | null
  /** Whether an AuthType is set: without Require that is a mistake which the server answers with 500. */
  readonly hasAuthType: boolean
}

/**
 * The one Require tree that expresses what both dialects expressed together.
 * @returns a reason if there is none
 */
export function wholeRequirement(
  { host, require, hasAuthType }: InForce,
  intent: Intent,
): Requirement | { readonly reason: string } {
  if (host === null) return require ?? GRANTED
  if (require !== null && mayBeNeutral(require))
    return { reason: 'the Require lines here are all negated: together with other rules they would count as granted' }
  const hosts = hostRequirement(intended(host, intent))
  if ('reason' in hosts) return hosts
  // No request reaches authentication.
  if (host.satisfy === 'all' && hosts.kind === 'denied') return hosts
  if (require === null && hasAuthType && intent === 'exact')
    return {
      reason:
        'AuthType is set without a Require line, which 2.4 answers with 500, whereas 2.2 did not request credentials; --intent documented reads it as 2.2 did',
    }
  if (host.satisfy === 'all') return allOf([hosts, require ?? GRANTED])
  // Without Require, "one of the two" is always satisfied, although this is never intended.
  if (require === null) return intent === 'exact' ? GRANTED : hosts
  // "One of the two" is always met if no host is denied, although Require is not written for that.
  if (intent === 'documented' && namesNobody(host)) return require
  return anyOf([hosts, require])
}
