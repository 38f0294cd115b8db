import type { HostRulesPart, SectionPart, Stage, Surprise } from '../explanation.ts'
import type { Observation } from '../site/observation.ts'
import { closingPlace } from '../stages/closing-place.ts'
import { hostRulesInForce } from '../stages/in-force.ts'
import type { SurpriseContext } from './context.ts'
import type { Mistake } from './mistake.ts'
import type { Found } from './rule.ts'

/** `Satisfy Any` grants access that one of the two kinds of rules denies. */
export const satisfyAny: Mistake = {
  surprises,
  rule: {
    id: 'GW001',
    about: 'a Deny or Require without effect because of Satisfy Any',
    severity: 'error',
    isConfirmed: true,
    find: ({ observations }) => observations.flatMap(found),
  },
}

/** The rules that Satisfy Any overrides for a granted request. */
interface Overridden {
  readonly kind: 'host rules' | 'require'
  /** The section whose Satisfy Any, Order, Allow and Deny are in force. */
  readonly section: SectionPart
  readonly rules: HostRulesPart
  /** No Require applies, which counts as granted. */
  readonly isRequireAbsent: boolean
  /** Sections in force whose Require lines alone would not grant access. */
  readonly closed: readonly SectionPart[]
}

function overriddenIn(stage: Stage): Overridden | null {
  const host = hostRulesInForce(stage)
  if (host === null || host.rules.satisfy !== 'any' || stage.access !== 'granted') return null
  const closed = stage.sections.filter(({ require }) => require?.inForce === true && require.tree.verdict !== 'granted')
  const kind = host.rules.allowed ? 'require' : 'host rules'
  if (kind === 'require' && closed.length === 0) return null
  return { kind, ...host, isRequireAbsent: stage.rule.name === 'nothing applies', closed }
}

function surprises({ stage }: Pick<SurpriseContext, 'stage'>): Surprise[] {
  const overridden = overriddenIn(stage)
  if (overridden === null) return []
  const { kind, section, rules, isRequireAbsent, closed } = overridden
  const name = 'Satisfy Any'
  const { place } = section
  if (kind === 'host rules')
    return [
      {
        name,
        text: isRequireAbsent
          ? 'Satisfy Any overrides Deny here: no Require applies, which counts as granted, so everybody has access. The denial (AH01797) is still logged.'
          : 'Satisfy Any overrides the host rules: they deny this client (and log AH01797), but Require grants the request, which is sufficient.',
        places: [place],
      },
    ]
  const what = rules.ruled ? 'the host rules allow this client' : 'there is no Order, Allow or Deny, which counts as allowed'
  return [
    {
      name,
      text: `Satisfy Any overrides Require: ${what}, so the Require directives, which would not grant this request, are not evaluated.`,
      places: [place, ...closed.filter((one) => one !== section).map(({ place: other }) => other)],
    },
  ]
}

/**
 * For lint: a stranger has access although a Deny, or a Require as specific as Satisfy Any, would deny it.
 */
function found(shownBy: Observation): Found[] {
  const { stage } = shownBy
  const overridden = overriddenIn(stage)
  if (overridden === null) return []
  const { kind, section, rules, isRequireAbsent, closed } = overridden
  if (kind === 'host rules') {
    const deny = rules.words.find(({ list, matches }) => list === 'Deny' && matches)
    return [
      {
        place: deny?.place ?? section.place,
        message: `${deny === undefined ? `Order ${rules.order}` : `Deny from ${deny.word}`} denies nobody: with Satisfy Any a grant by Require is sufficient, and ${isRequireAbsent ? 'if no Require applies, that counts as granted' : 'it grants this request'}`,
        hint: 'write Satisfy All here, or a Require for the clients that Allow does not name',
        shownBy,
      },
    ]
  }
  // Satisfy Any was probably meant to override a Require in an enclosing section.
  const at = stage.sections.indexOf(section)
  const near = closed.filter((closing) => stage.sections.indexOf(closing) >= at)
  return near.map((closing) => ({
    place: closingPlace(closing),
    message: `Require has no effect: Satisfy Any is in force (${where(closing, section)}), and ${rules.ruled ? 'Order, Allow and Deny allow everybody' : 'there is no Order, Allow or Deny, which counts as allowed'}`,
    hint: 'write Satisfy All in this section, or Deny from all if only Require is to decide',
    shownBy,
    // Only the tree's own lines can be corrected there.
    cause:
      closing === section
        ? undefined
        : {
            place: section.place,
            message: `Satisfy Any lets everybody bypass ${closing.title}, which the server configuration sets for this folder`,
            hint: 'remove Satisfy Any, or add Deny from all if only Require is to decide',
          },
  }))
}

function where(closing: SectionPart, section: SectionPart): string {
  return closing === section ? 'in the same section' : `from ${section.title}`
}
