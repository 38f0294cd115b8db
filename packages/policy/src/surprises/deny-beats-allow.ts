import type { Surprise } from '../explanation.ts'
import type { SurpriseContext } from '../mistakes/context.ts'
import { hostRulesInForce } from '../stages/in-force.ts'

/** Under `Order allow,deny` a matching Deny beats a matching Allow. */
export function denyBeatsAllow({ stage }: SurpriseContext): Surprise[] {
  const host = hostRulesInForce(stage)
  if (host === null || host.rules.allowed || host.rules.order === 'deny,allow') return []
  const matching = host.rules.words.filter(({ matches }) => matches)
  const allow = matching.find(({ list }) => list === 'Allow')
  const deny = matching.find(({ list }) => list === 'Deny')
  if (allow === undefined || deny === undefined) return []
  return [
    {
      name: 'Deny beats Allow',
      text: `Allow from ${allow.word} matches this client, but so does Deny from ${deny.word}, and under Order ${host.rules.order} Deny takes precedence; Order deny,allow would allow the client.`,
      places: [allow.place, deny.place],
    },
  ]
}
