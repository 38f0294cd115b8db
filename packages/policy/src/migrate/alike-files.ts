import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'

/** Files of a tree; files with the same text below equal files are represented by one. */
export interface AlikeFiles {
  /** One of each kind, by its path. */
  readonly texts: ReadonlyMap<string, string>
  /** All files of a kind, by the path of the one that represents them. */
  readonly members: ReadonlyMap<string, readonly string[]>
}

interface Kind {
  readonly parent: Kind | null
  readonly text: string
  readonly members: Member[]
  /** The path of the representative. */
  path: string
}

interface Member {
  readonly path: string
  /** The folder of the next file above. */
  readonly above: string | null
}

/**
 * Groups .htaccess files by their content and by the content of those above them: all files of a kind have
 * the same result. The representative of a kind is below the representatives of the kinds above; if no file
 * of the kind is there, its path is invented.
 * @param apart folders that differ from all others, because facts about them are unknown: files above or
 * below one are equal only below the same one
 */
export function alikeFiles(files: ReadonlyMap<string, string>, apart: readonly string[]): AlikeFiles {
  const kinds = new Map<string, Kind>()
  const numbers = new Map<Kind | null, number>([[null, 0]])
  const byFolder = new Map<string, Kind>()
  const folderFirst = [...files].sort(([a], [b]) => dirname(a).length - dirname(b).length || (a < b ? -1 : 1))
  for (const [path, text] of folderFirst) {
    const folder = dirname(path)
    const above = folderAbove(folder, byFolder)
    const parent = above === null ? null : (byFolder.get(above) ?? null)
    const key = `${numbers.get(parent)} ${basename(path)} ${apartness(folder, apart)} ${fingerprint(text)}`
    const kind = kinds.get(key) ?? { parent, text, members: [], path: '' }
    kinds.set(key, kind)
    if (!numbers.has(kind)) numbers.set(kind, numbers.size)
    kind.members.push({ path, above })
    byFolder.set(folder, kind)
  }
  for (const kind of kinds.values()) kind.path = placeOf(kind, numbers.get(kind) ?? 0)
  const all = [...kinds.values()]
  return {
    texts: new Map(all.map(({ path, text }) => [path, text])),
    members: new Map(all.map(({ path, members }) => [path, members.map((member) => member.path)])),
  }
}

function placeOf({ parent, members }: Kind, number: number): string {
  const around = parent === null ? null : dirname(parent.path)
  const found = members.find(({ above }) => above === around)
  if (found !== undefined) return found.path
  return join(around ?? '/', `gatewright-alike-${number}`, basename(members[0].path))
}

function folderAbove(folder: string, known: ReadonlyMap<string, Kind>): string | null {
  for (let at = folder; at !== dirname(at); ) {
    at = dirname(at)
    if (known.has(at)) return at
  }
  return null
}

function apartness(folder: string, apart: readonly string[]): string {
  const isBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}/`)
  if (apart.some((one) => isBelow(one, folder))) return folder
  return apart.find((one) => isBelow(folder, one)) ?? ''
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('base64')
}
