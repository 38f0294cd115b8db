import type { HostDecision, MaybePromise, Request } from '@gatewright/api'
import { hostAllowed } from './host-access.ts'
import type { HostRules } from './host-rules.ts'
import type { ClientView } from './rule-list.ts'

/** What the rules of a section, or those in force, say about a request, with the part of every word in it; null when they say nothing about its method. */
export async function describeDecision(
  rules: Readonly<HostRules>,
  request: Request,
  client: ClientView,
  allowed: MaybePromise<boolean> = hostAllowed(rules, request, client),
): Promise<HostDecision | null> {
  const number = request.methodNumber
  const ruled = rules.ruled.has(number)
  const satisfy = rules.satisfy[number] ?? 'unset'
  if (!ruled && satisfy === 'unset') return null
  return {
    section: rules.section,
    ruled,
    order: rules.order[number] ?? 'deny,allow',
    satisfy,
    words: [...(await rules.allows.results('Allow', request, client)), ...(await rules.denies.results('Deny', request, client))],
    allowed: await allowed,
  }
}
