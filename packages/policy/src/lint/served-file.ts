import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { questionsForPath } from './questions-for-path.ts'

/** A stranger's request that is answered with this very file; undefined when none is found. */
export async function servedFile(site: LintedSite, file: string): Promise<Observation | undefined> {
  for (const question of questionsForPath(site, file)) {
    const shownBy = await site.ask(question)
    if (shownBy?.status === 200 && shownBy.stage.filename === file) return shownBy
  }
  return undefined
}
