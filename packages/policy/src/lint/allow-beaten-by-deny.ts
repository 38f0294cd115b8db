import type { Found, Rule } from '../mistakes/rule.ts'
import type { Observation } from '../site/observation.ts'
import { hostRulesInForce } from '../stages/in-force.ts'

/** Allow lines under `Order allow,deny` together with `Deny from all`: the Deny beats each of them. */
export const allowBeatenByDeny: Rule = {
  id: 'GW023',
  about: 'Allow lines without effect, because of Deny from all under Order allow,deny',
  severity: 'warning',
  isConfirmed: true,
  find: ({ observations }) => observations.flatMap(found),
}

function found(shownBy: Observation): Found[] {
  const host = hostRulesInForce(shownBy.stage)
  if (host === null || host.rules.allowed || host.rules.order === 'deny,allow') return []
  const { order, words } = host.rules
  const deny = words.find(({ list, word }) => list === 'Deny' && word.toLowerCase() === 'all')
  const allow = words.find(({ list, word }) => list === 'Allow' && word.toLowerCase() !== 'all')
  if (deny === undefined || allow === undefined) return []
  return [
    {
      place: allow.place,
      message: `Allow from ${allow.word} admits nobody: under Order ${order}, Deny takes precedence, and Deny from all matches every client`,
      hint: 'remove Deny from all, or write Order deny,allow',
      shownBy,
    },
  ]
}
