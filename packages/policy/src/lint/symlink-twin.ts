import { readdirSync, realpathSync } from 'node:fs'
import type { Found, Rule } from '../mistakes/rule.ts'
import { accessText } from '../site/access-text.ts'
import { closesToStrangers } from '../site/closes-to-strangers.ts'
import type { LintedSite } from '../site/linted-site.ts'
import { namesIn } from '../site/real-files.ts'
import { itemsAt } from '../site/section-at.ts'
import { questionsForPath } from './questions-for-path.ts'

/**
 * A link among the documents that leads to a folder which a `<Directory>` closes: sections apply to the
 * requested path.
 */
export const symlinkTwin: Rule = {
  id: 'GW020',
  about: 'a folder that a <Directory> closes, but that is open through a symbolic link',
  severity: 'error',
  isConfirmed: true,
  async find(site) {
    const closed = closedFolders(site)
    const found: Found[] = []
    if (closed.length === 0) return found
    for (const folder of site.walked.folders)
      for (const link of linksIn(folder)) found.push(...(await twins(site, folder, link, closed)))
    return found
  },
}

/** A folder that a section names, with its place; the section contains access rules. */
interface NamedFolder {
  readonly path: string
  readonly title: string
  readonly place: Found['place']
  readonly isClosed: boolean
}

/** The root of the file system is closed so that folders can be opened one by one. */
function closedFolders({ server, files }: LintedSite): NamedFolder[] {
  const named = server.configuration.sections.flatMap(({ kind, match, title, file, line }): NamedFolder[] => {
    if (kind !== 'Directory' || match === null || match.pattern !== null || match.wildcard !== null || match.path === '/')
      return []
    const items = itemsAt(files, { file, line })
    if (accessText(items, () => true).length === 0) return []
    return [{ path: match.path, title, place: { file, line }, isClosed: closesToStrangers(items) }]
  })
  return named.some(({ isClosed }) => isClosed) ? named : []
}

async function twins(site: LintedSite, path: string, { name, target }: Link, named: readonly NamedFolder[]): Promise<Found[]> {
  const nearest = named.filter((one) => isBelow(target, one.path)).sort((a, b) => b.path.length - a.path.length)[0]
  if (nearest === undefined || !nearest.isClosed || isBelow(path, nearest.path)) return []
  const inside = namesIn(target).slice(0, MAX_FILES)
  const targets = [...inside.map((one) => `${name}/${one}`), name].map((one) => Buffer.from(one, 'utf8').toString('latin1'))
  for (const question of targets.flatMap((one) => questionsForPath(site, `${path}/${one}`))) {
    const shownBy = await site.ask(question)
    if (shownBy?.stage.access !== 'granted' || shownBy.status !== 200) continue
    return [
      {
        place: nearest.place,
        message: `${nearest.title} closes ${nearest.path}, and ${path}/${name}, a link to ${target}, is open: a section applies to the path of the request, not to the targets of links`,
        hint: 'remove the link, disable FollowSymLinks for its folder, or close its own path as well',
        shownBy,
      },
    ]
  }
  return []
}

/** Maximum number of files to test below a link. */
const MAX_FILES = 20

interface Link {
  readonly name: string
  /** The final target. */
  readonly target: string
}

function linksIn(folder: string): Link[] {
  try {
    const entries = readdirSync(Buffer.from(folder, 'latin1'), { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isSymbolicLink() ? linkTo(folder, entry.name) : []))
  } catch {
    return []
  }
}

/** None for a link that leads nowhere. */
function linkTo(folder: string, name: string): Link[] {
  try {
    const path = Buffer.concat([Buffer.from(`${folder}/`, 'latin1'), Buffer.from(name, 'utf8')])
    return [{ name, target: realpathSync(path, 'latin1') }]
  } catch {
    return []
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
