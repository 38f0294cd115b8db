import { isAbsolute, resolve } from 'node:path'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { LintedSite } from '../site/linted-site.ts'
import { servedFile } from './served-file.ts'

/** A user or group file that the server sends to every client. */
export const usersFileServed: Rule = {
  id: 'GW012',
  about: 'a user or group file that is served',
  severity: 'error',
  isConfirmed: true,
  async find(site) {
    const found: Found[] = []
    for (const { path, item } of site.files.items()) {
      if (item.kind !== 'directive' || !FILES_OF.test(item.name)) continue
      for (const name of namesOnDisk(item.name, item.words)) {
        const file = isAbsolute(name) ? resolve(name) : resolve(site.server.configuration.serverRoot, name)
        found.push(...(await served(site, file, { file: path, line: item.line ?? 0 })))
      }
    }
    return found
  },
}

const FILES_OF = /^auth(?:user|group|digestgroup|dbmuser|dbmgroup)file$/i

/** The name of a DBM file depends on its type. */
function namesOnDisk(directive: string, words: readonly string[]): string[] {
  return words
    .slice(0, 1)
    .flatMap((word) => (/dbm/i.test(directive) ? ['', '.pag', '.dir', '.db'].map((end) => word + end) : [word]))
}

async function served(site: LintedSite, file: string, place: Found['place']): Promise<Found[]> {
  const shownBy = await servedFile(site, file)
  if (shownBy === undefined) return []
  return [
    {
      place,
      message: `${file} is served to everybody: it contains user names, and password hashes if it is a user file`,
      hint: 'move it out of the served folders, or rename it to .htpasswd if <Files ".ht*"> denies access',
      shownBy,
    },
  ]
}
