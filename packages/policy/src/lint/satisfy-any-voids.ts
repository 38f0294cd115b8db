import type { SectionPart } from '../explanation.ts'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { Observation } from '../site/observation.ts'
import { closingPlace } from '../stages/closing-place.ts'
import { hostRulesInForce } from '../stages/in-force.ts'

/** `Satisfy Any`, which lets a stranger in whom a Deny, or a Require as near as it, keeps out. */
export const satisfyAnyVoids: Rule = {
  id: 'GW001',
  about: 'a Deny or Require without effect because of Satisfy Any',
  severity: 'error',
  isConfirmed: true,
  find: ({ observations }) => observations.flatMap(found),
}

function found(shownBy: Observation): Found[] {
  const { stage } = shownBy
  const host = hostRulesInForce(stage)
  if (host === null || host.rules.satisfy !== 'any' || stage.access !== 'granted') return []
  const { section, rules } = host
  if (!rules.allowed) {
    const deny = rules.words.find(({ list, matches }) => list === 'Deny' && matches)
    return [
      {
        place: deny?.place ?? section.place,
        message: `${deny === undefined ? `Order ${rules.order}` : `Deny from ${deny.word}`} denies nobody: with Satisfy Any a grant by Require is sufficient, and ${stage.rule.name === 'nothing applies' ? 'if no Require applies, that counts as granted' : 'it grants this request'}`,
        hint: 'write Satisfy All here, or a Require for the clients that Allow does not name',
        shownBy,
      },
    ]
  }
  // A Require further out than Satisfy Any was probably meant to be lifted.
  const near = stage.sections.slice(stage.sections.indexOf(section)).filter(closes)
  return near.map((closing) => ({
    place: closingPlace(closing),
    message: `Require has no effect: Satisfy Any is in force (${where(closing, section)}), and ${rules.ruled ? 'Order, Allow and Deny allow everybody' : 'there is no Order, Allow or Deny, which counts as allowed'}`,
    hint: 'write Satisfy All in this section, or Deny from all if only Require is to decide',
    shownBy,
    // Only the lines of the tree itself can be corrected there.
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

function closes({ require }: SectionPart): boolean {
  return require?.inForce === true && (require.tree.verdict === 'denied' || require.tree.verdict === 'needs a user')
}

function where(closing: SectionPart, section: SectionPart): string {
  return closing === section ? 'in the same section' : `from ${section.title}`
}
