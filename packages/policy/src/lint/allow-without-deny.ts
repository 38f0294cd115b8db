import { hostRulesInForce } from '../surprises/in-force.ts'
import type { Observation } from './observation.ts'
import type { Found, Rule } from './rule.ts'

/** Allow lines under `Order deny,allow`, the default, without any Deny: who is not named is let in as well. */
export const allowWithoutDeny: Rule = {
  id: 'GW018',
  about: 'Allow lines that keep nobody out, for no Deny stands beside them',
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
      message: `Allow from ${first.word} keeps nobody out: under Order deny,allow, which is the default, whoever is not named by a Deny may come in`,
      hint: 'write Deny from all beside it, or Order allow,deny',
      shownBy,
    },
  ]
}
