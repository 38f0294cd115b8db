import { basename, dirname, extname } from 'node:path'
import { namedOtherwise } from './case-variant.ts'
import { closesToStrangers } from './closes-to-strangers.ts'
import { closesByItself, closingPlace } from './closing-place.ts'
import type { LintedSite } from './linted-site.ts'
import type { Observation } from './observation.ts'
import { questionsForPath } from './questions-for-path.ts'
import { namesIn, questionFor } from './real-files.ts'
import type { Found, Rule } from './rule.ts'
import { itemsAt } from './section-at.ts'

/** A section that closes a name in one letter case, where the same name in another is served. */
export const letterCase: Rule = {
  id: 'GW006',
  about: 'a section that misses what it is about by the case of a letter',
  severity: 'error',
  isConfirmed: true,
  async find(site) {
    return [...(await misnamedPlaces(site)), ...(await filesInCapitals(site)), ...(await typesInCapitals(site))]
  },
}

/** `<Location "/Admin">` and `<Directory "/srv/www/Admin">` where the folder is called admin. */
async function misnamedPlaces(site: LintedSite): Promise<Found[]> {
  const found: Found[] = []
  for (const { kind, match, file, line, title } of site.server.snapshot.generation.sections) {
    if ((kind !== 'Directory' && kind !== 'Location') || match === null || match.pattern !== null || match.wildcard !== null)
      continue
    if (!closesToStrangers(itemsAt(site.files, { file, line }))) continue
    const real = site.mappings
      .map(({ url, folder }) => realPlace(kind === 'Directory' ? match.path : diskPath(match.path, url, folder)))
      .find((path) => path !== null)
    const shownBy = real === undefined || real === null ? null : await strangersRequest(site, real)
    if (shownBy !== null)
      found.push({
        place: { file, line },
        message: `${title} is about nothing that is there, and ${real} is open: letters of paths count as they are written`,
        hint: `write ${real} as it is called on the disk`,
        shownBy,
      })
  }
  return found
}

function diskPath(location: string, url: string, folder: string): string | null {
  const base = url.replace(/\/$/, '')
  return location.toLowerCase().startsWith(`${base}/`.toLowerCase())
    ? folder.replace(/\/$/, '') + location.slice(base.length)
    : null
}

function realPlace(path: string | null): string | null {
  return path === null ? null : namedOtherwise(path.replace(/\/+$/, ''))
}

/** A request that strangers may make for a folder or file. */
async function strangersRequest(site: LintedSite, path: string): Promise<Observation | null> {
  for (const question of questionsForPath(site, path))
    for (const target of [question.target, `${question.target}/`]) {
      const observation = await site.ask({ ...question, target })
      if (observation?.stage.access === 'granted' && observation.status === 200) return observation
    }
  return null
}

/** Names of a folder that are tried at most. */
const MAX_NAMES = 50

/** `<FilesMatch "\.sql$">` beside a file DUMP.SQL. */
async function filesInCapitals(site: LintedSite): Promise<Found[]> {
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

/** `<FilesMatch "\.php$">` where x.PHP goes to the same handler: mod_mime does not mind the case of an extension. */
async function typesInCapitals(site: LintedSite): Promise<Found[]> {
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
    found.push(...missed(small, shownBy, `a file ${end.toUpperCase()} goes to the handler ${handler} like one ${end}`))
  }
  return found
}

/** Handlers that a file has whatever it is called: what mod_rewrite sends elsewhere, what nobody has claimed, folders. */
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
      message: `${closing.title} does not close names in capitals: ${what}`,
      hint: isPattern ? 'begin the pattern with (?i)' : 'write <FilesMatch> with a pattern that begins with (?i)',
      shownBy,
    },
  ]
}
