import type { Found, Rule } from '../mistakes/rule.ts'
import type { Observation } from '../site/observation.ts'
import { hostRulesInForce } from '../stages/in-force.ts'

/**
 * Allow lines under `Order deny,allow`, the default, without any Deny: clients that are not named have access
 * as well.
 */
export const allowWithoutDeny: Rule = {
  id: 'GW018',
  about: 'Allow lines that deny nobody, because there is no Deny',
  severity: 'error',
  isConfirmed: true,
  find: ({ observations }) => observations.flatMap(found),
}

function found(shownBy: Observation): Found[] {
  const { stage } = shownBy
  const host = hostRulesInForce(stage)
  if (host === null || stage.access !== 'granted' || host.rules.order !== 'deny,allow') return []
  const { words } = host.rules
  const [first] = words
  if (first === undefined || words.some(({ list, word }) => list === 'Deny' || word.toLowerCase() === 'all')) return []
  return [
    {
      place: first.place,
      message: `Allow from ${first.word} denies nobody: under Order deny,allow, which is the default, every client that no Deny names is allowed`,
      hint: 'add Deny from all, or write Order allow,deny',
      shownBy,
    },
  ]
}
