import type { Surprise } from '../explanation.ts'
import type { SurpriseContext } from './context.ts'
import { hostRulesInForce } from './in-force.ts'

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
          ? 'Satisfy Any makes Deny void here: no Require applies, which counts as granted, so everybody is admitted. The refusal (AH01797) is logged all the same.'
          : 'Satisfy Any defeats the host rules: they refuse this client (and log AH01797), but Require grants and that is enough.',
        places: [place],
      },
    ]
  }
  const closed = stage.sections.filter(({ require }) => require?.inForce === true && require.tree.verdict !== 'granted')
  if (closed.length === 0) return []
  const what = host.rules.ruled
    ? 'the host rules let this client in'
    : 'no Order, Allow or Deny stands beside it, which counts as allowed'
  return [
    {
      name,
      text: `Satisfy Any defeats Require: ${what}, so that the Require directives, which would not grant it as it is, are never asked.`,
      places: [place, ...closed.filter((section) => section !== host.section).map(({ place: other }) => other)],
    },
  ]
}
