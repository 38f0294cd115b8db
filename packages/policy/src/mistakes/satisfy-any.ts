import type { Surprise } from '../explanation.ts'
import { hostRulesInForce } from '../stages/in-force.ts'
import type { SurpriseContext } from './context.ts'

/** `Satisfy Any` lets in whom one of the two kinds of rules refuses. */
export function satisfyAny({ stage }: SurpriseContext): Surprise[] {
  const host = hostRulesInForce(stage)
  if (host === null || host.rules.satisfy !== 'any' || stage.access !== 'granted') return []
  const name = 'Satisfy Any'
  const place = host.section.place
  if (!host.rules.allowed) {
    const nothing = stage.rule.name === 'nothing applies'
    return [
      {
        name,
        text: nothing
          ? 'Satisfy Any overrides Deny here: no Require applies, which counts as granted, so everybody has access. The denial (AH01797) is still logged.'
          : 'Satisfy Any overrides the host rules: they deny this client (and log AH01797), but Require grants the request, which is sufficient.',
        places: [place],
      },
    ]
  }
  const closed = stage.sections.filter(({ require }) => require?.inForce === true && require.tree.verdict !== 'granted')
  if (closed.length === 0) return []
  const what = host.rules.ruled ? 'the host rules allow this client' : 'there is no Order, Allow or Deny, which counts as allowed'
  return [
    {
      name,
      text: `Satisfy Any overrides Require: ${what}, so the Require directives, which would not grant this request, are not evaluated.`,
      places: [place, ...closed.filter((section) => section !== host.section).map(({ place: other }) => other)],
    },
  ]
}
