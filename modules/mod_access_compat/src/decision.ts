import type { MaybePromise, Request } from '@gatewright/api'
import type { HostDecision, HostWordResult } from '@gatewright/api/tracing'
import type { HostRules } from './host-rules.ts'
import type { ClientView } from './rule-list.ts'

/**
 * Describes the decision of a section's rules, or of the effective ones, with the result of each word; null
 * if they do not apply to the request's method. Asynchronous only if the client's name is looked up, because
 * an expression (`-U`) cannot wait.
 * @param allowed the decision
 */
export function describeDecision(
  rules: Readonly<HostRules>,
  request: Request,
  client: ClientView,
  allowed: boolean,
): MaybePromise<HostDecision | null> {
  const number = request.methodNumber
  const ruled = rules.ruled.has(number)
  const satisfy = rules.satisfy[number] ?? 'unset'
  if (!ruled && satisfy === 'unset') return null
  const order = rules.order[number] ?? 'deny,allow'
  const described = (words: readonly HostWordResult[]): HostDecision => ({
    section: rules.section,
    ruled,
    order,
    satisfy,
    words,
    allowed,
  })
  const words = [...rules.allows.results('Allow', request, client), ...rules.denies.results('Deny', request, client)]
  return words.every(isKnown) ? described(words) : Promise.all(words).then(described)
}

function isKnown(word: MaybePromise<HostWordResult>): word is HostWordResult {
  return !(word instanceof Promise)
}
