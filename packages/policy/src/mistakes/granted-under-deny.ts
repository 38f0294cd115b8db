import type { SectionPart, Surprise } from '../explanation.ts'
import { hostRulesInForce } from '../stages/in-force.ts'
import { leaves } from '../stages/tree-node.ts'
import type { SurpriseContext } from './context.ts'
import { type Mistake, surprisingObservations } from './mistake.ts'

/** `Require all granted` where Order, Allow and Deny of an outer section still refuse the client. */
export const grantedUnderDeny: Mistake = {
  surprises,
  rule: {
    id: 'GW024',
    about: 'Require all granted in a place that Order, Allow and Deny still close',
    severity: 'error',
    isConfirmed: true,
    find: surprisingObservations(
      surprises,
      'replace the Order, Allow and Deny lines by Require lines, or add Allow from all there',
    ),
  },
}

function surprises({ stage }: Pick<SurpriseContext, 'stage'>): Surprise[] {
  const host = hostRulesInForce(stage)
  if (stage.access !== 'refused' || host === null || host.rules.allowed || host.rules.satisfy === 'any') return []
  const later = stage.sections.slice(stage.sections.indexOf(host.section) + 1)
  const opener = later.findLast(({ require }) => require?.inForce === true && require.tree.verdict === 'granted')
  const grant = opener === undefined ? undefined : allGranted(opener)
  if (opener === undefined || grant === undefined) return []
  return [
    {
      name: 'Require beside Deny',
      text: `Require all granted in ${opener.title} does not take back the Order, Allow and Deny lines of ${host.section.title}: both must grant a request.`,
      places: [grant.place, host.section.place],
    },
  ]
}

function allGranted({ require }: SectionPart): ReturnType<typeof leaves>[number] | undefined {
  return require === null
    ? undefined
    : leaves(require.tree).find(
        ({ negated, line }) => !negated && line?.provider === 'all' && /^granted\s*$/i.test(line.argument),
      )
}
