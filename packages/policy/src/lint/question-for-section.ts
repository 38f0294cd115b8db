import { dirname } from 'node:path'
import type { PolicyServer } from '../policy-server.ts'
import type { Question } from '../question.ts'
import { lintedSite } from '../site/linted-site.ts'
import { type Observation, sectionsOf } from '../site/observation.ts'
import { questionsForPath } from './questions-for-path.ts'

/** A section of the server's files, a virtual host, or a .htaccess file. */
export interface NamedSection {
  readonly file: string
  /** The line that opens it; 0 for a .htaccess file. */
  readonly line: number
}

/** A stranger's request to which a section applies, an ordinary one before others; null if there is none. */
export async function questionForSection(server: PolicyServer, section: NamedSection): Promise<Question | null> {
  const site = await lintedSite(server)
  const met = site.observations.filter((observation) => isMet(section, observation))
  // The fewer other sections apply, the more the answer says about this one.
  const [best] = met.toSorted(
    (a, b) => sectionsOf(a).length - sectionsOf(b).length || a.question.target.length - b.question.target.length,
  )
  if (best !== undefined) return best.question
  // A .htaccess file that was not saved yet is in no list of files.
  for (const question of section.line === 0 ? questionsForPath(site, `${dirname(section.file)}/index.html`) : []) {
    const observation = await site.ask(question)
    if (observation !== null && isMet(section, observation)) return question
  }
  return null
}

function isMet({ file, line }: NamedSection, observation: Observation): boolean {
  const isMeant = (place: { readonly file: string; readonly line: number }): boolean =>
    place.file === file && (line === 0 || place.line === line)
  return sectionsOf(observation).some(isMeant) || isMeant(observation.recorded.request.server)
}
