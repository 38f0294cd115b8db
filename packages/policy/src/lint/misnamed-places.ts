import type { Found } from '../mistakes/rule.ts'
import { closesToStrangers } from '../site/closes-to-strangers.ts'
import type { LintedSite } from '../site/linted-site.ts'
import type { Observation } from '../site/observation.ts'
import { itemsAt } from '../site/section-at.ts'
import { namedOtherwise } from './case-variant.ts'
import { questionsForPath } from './questions-for-path.ts'

/** `<Location "/Admin">` and `<Directory "/srv/www/Admin">` where the folder is called admin. */
export async function misnamedPlaces(site: LintedSite): Promise<Found[]> {
  const found: Found[] = []
  for (const { kind, match, file, line, title } of site.server.configuration.sections) {
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
        message: `${title} matches nothing that exists, and ${real} is open: paths are case-sensitive`,
        hint: `write ${real} with the letter case of the file system`,
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
