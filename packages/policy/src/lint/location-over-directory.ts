import type { SectionPart } from '../explanation.ts'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { closingPlace } from '../stages/closing-place.ts'
import { type Overridden, overriddenRequire, replacedHostRules } from '../surprises/overridden-section.ts'

/**
 * A `<Location>`, merged after every `<Directory>`, `<Files>` and .htaccess file, that grants access which
 * one of them denies.
 */
export const locationOverDirectory: Rule = {
  id: 'GW004',
  about: 'a closed folder or file that a wider <Location> opens',
  severity: 'error',
  isConfirmed: true,
  find: (site) =>
    site.observations.flatMap((observation) => [
      ...found(site, observation, overriddenRequire(observation.stage)),
      ...found(site, observation, replacedHostRules(observation.stage)),
    ]),
}

function found(site: LintedSite, shownBy: Observation, overridden: Overridden | null): Found[] {
  if (overridden === null || overridden.opener === null) return []
  const { closed, opener } = overridden
  if (!LOCATIONS.has(opener.kind) || LOCATIONS.has(closed.kind) || closed.kind === 'If') return []
  // A Location for exactly this place is intentional, and so is one above a file that does not exist.
  if (!isWider(site, opener, closed) || (FILES.has(closed.kind) && shownBy.status !== 200)) return []
  const { file, line } = opener.place
  return [
    {
      place: closingPlace(closed),
      message: `${opener.title} (${file}:${line}) opens what this closes: <Location> is merged after <Directory>, <Files> and .htaccess files, and its access rules replace theirs`,
      hint: `remove Require from ${opener.title}, or add AuthMerging And to it, or deny access here in a later <Location>`,
      shownBy,
    },
  ]
}

/** True when the Location also applies where the other section does not. */
function isWider({ observations }: LintedSite, opener: SectionPart, closed: SectionPart): boolean {
  const has = (one: Observation, part: SectionPart): boolean =>
    one.stage.sections.some(({ place }) => place.file === part.place.file && place.line === part.place.line)
  return observations.some((one) => has(one, opener) && !has(one, closed))
}

const LOCATIONS: ReadonlySet<string> = new Set(['Location', 'LocationMatch'])
const FILES: ReadonlySet<string> = new Set(['Files', 'FilesMatch'])
