import { basename, dirname, extname } from 'node:path'
import type { Found } from '../mistakes/rule.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { namesIn, questionFor } from '../site/real-files.ts'
import { closesByItself, closingPlace } from '../stages/closing-place.ts'

/** Names of a folder that are tried at most. */
const MAX_NAMES = 50

/** `<FilesMatch "\.sql$">` and a file DUMP.SQL. */
export async function filesInCapitals(site: LintedSite): Promise<Found[]> {
  const found: Found[] = []
  for (const folder of site.folders) {
    const names = namesIn(folder.path).filter((name) => name !== name.toLowerCase())
    for (const name of names.slice(0, MAX_NAMES)) {
      const small = await site.ask(questionFor(folder, name.toLowerCase()))
      if (small === null || closingFiles(small) === undefined) continue
      const shownBy = await site.ask(questionFor(folder, name))
      if (shownBy?.stage.access === 'granted' && shownBy.status === 200)
        found.push(...missed(small, shownBy, `${name} is served`))
    }
  }
  return found
}

/** `<FilesMatch "\.php$">` if x.PHP has the same handler: mod_mime ignores the case of an extension. */
export async function typesInCapitals(site: LintedSite): Promise<Found[]> {
  const found: Found[] = []
  for (const small of site.observations) {
    const name = basename(small.stage.filename ?? '')
    const end = extname(name)
    if (closingFiles(small) === undefined || end.length < 2 || end === end.toUpperCase()) continue
    const target =
      small.question.target.replace(/[^/?]*(?:\?.*)?$/s, '') + encodeURIComponent(name.slice(0, -end.length)) + end.toUpperCase()
    const shownBy = await site.ask({ ...small.question, target })
    const handler = shownBy?.recorded.request.handler ?? null
    if (
      shownBy?.stage.access !== 'granted' ||
      handler === null ||
      NOT_BY_NAME.has(handler) ||
      dirname(shownBy.stage.filename ?? '') !== dirname(small.stage.filename ?? '')
    )
      continue
    found.push(...missed(small, shownBy, `the handler ${handler} serves a file ${end.toUpperCase()} as it serves ${end}`))
  }
  return found
}

/** Handlers that do not depend on the name of a file: rewritten by mod_rewrite, the default, folders. */
const NOT_BY_NAME: ReadonlySet<string> = new Set(['redirect-handler', 'default-handler', 'httpd/unix-directory'])

/** The `<Files>` section that keeps a request out. */
function closingFiles({ stage }: Observation): Observation['stage']['sections'][number] | undefined {
  if (stage.access !== 'refused' && stage.access !== 'challenged') return undefined
  return stage.sections.findLast(
    (section) => (section.kind === 'Files' || section.kind === 'FilesMatch') && closesByItself(section),
  )
}

function missed(small: Observation, shownBy: Observation, what: string): Found[] {
  const closing = closingFiles(small)
  if (closing === undefined) return []
  const isPattern = closing.kind === 'FilesMatch'
  return [
    {
      place: closingPlace(closing),
      message: `${closing.title} does not close names in upper case: ${what}`,
      hint: isPattern ? 'begin the pattern with (?i)' : 'write <FilesMatch> with a pattern that begins with (?i)',
      shownBy,
    },
  ]
}
