import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { closesByItself, closingPlace } from '../stages/closing-place.ts'
import { questionsForPath } from './questions-for-path.ts'

/** Two URLs for one file, of which a `<Location>` closes one. */
export const aliasTwin: Rule = {
  id: 'GW005',
  about: 'a file that a <Location> closes, but that is open through another URL by Alias',
  severity: 'error',
  isConfirmed: true,
  async find(site) {
    const found: Found[] = []
    for (const observation of site.observations) found.push(...(await twins(site, observation)))
    return found
  },
}

async function twins(site: LintedSite, { stage, question }: Observation): Promise<Found[]> {
  const { filename } = stage
  if (stage.access !== 'refused' && stage.access !== 'challenged') return []
  const closing = stage.sections.find((section) => section.kind === 'Location' && closesByItself(section))
  if (closing === undefined || filename === null || !existsSync(Buffer.from(filename, 'latin1'))) return []
  for (const other of questionsForPath(site, filename)) {
    if (other.target === question.target || other.host !== question.host || other.localPort !== question.localPort) continue
    const shownBy = await site.ask(other)
    if (shownBy === null || shownBy.stage.access !== 'granted' || shownBy.stage.filename !== filename) continue
    return [
      {
        place: closingPlace(closing),
        message: `${closing.title} closes one URL of ${filename}, but ${shownBy.question.target} leads to the same file`,
        hint: `move the rules to <Directory "${dirname(filename)}">, which applies to every URL of the file`,
        shownBy,
      },
    ]
  }
  return []
}
