import type { SectionPart } from '../explanation.ts'
import type { Found, Rule } from '../mistakes/rule.ts'
import { type Observation, sectionsOf } from '../site/observation.ts'
import { closingPlace } from '../stages/closing-place.ts'
import { overriddenRequire } from '../surprises/overridden-section.ts'

/**
 * Two sections for one place: the later one replaces the Require lines of the first, which have no effect.
 */
export const replacedSection: Rule = {
  id: 'GW009',
  about: 'Require lines without effect, because a later section applies to the same place',
  severity: 'warning',
  isConfirmed: true,
  find: ({ observations }) => observations.flatMap(found),
}

function found(shownBy: Observation): Found[] {
  const overridden = overriddenRequire(shownBy.stage)
  if (overridden === null || overridden.opener === null) return []
  const { closed, opener } = overridden
  if (!isSamePlace(closed, opener) || serverOf(shownBy, closed) !== serverOf(shownBy, opener)) return []
  const { file, line } = opener.place
  return [
    {
      place: closingPlace(closed),
      message: `this has no effect: ${opener.title} appears again in ${file}:${line}, and its Require lines replace these`,
      hint: 'keep one of the two sections, or add AuthMerging And to the later one',
      shownBy,
    },
  ]
}

function isSamePlace(one: SectionPart, other: SectionPart): boolean {
  return one.kind === other.kind && one.kind !== '.htaccess' && plain(one.title) === plain(other.title)
}

function plain(title: string): string {
  return title.replace(/["'\s]+/g, ' ').replace(/\/? ?>$/, '')
}

function serverOf(observation: Observation, { place }: SectionPart): unknown {
  return sectionsOf(observation).find(({ file, line }) => file === place.file && line === place.line)?.server
}
