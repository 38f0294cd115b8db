import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'

/** Files of a tree, of which those with the same text below the same files count as one. */
export interface AlikeFiles {
  /** One of each kind, by its path. */
  readonly texts: ReadonlyMap<string, string>
  /** All of a kind, by the path of the one that stands for them. */
  readonly members: ReadonlyMap<string, readonly string[]>
}

interface Kind {
  readonly parent: Kind | null
  readonly text: string
  readonly members: Member[]
  /** Where the one lies that stands for all. */
  path: string
}

interface Member {
  readonly path: string
  /** The folder of the next file above. */
  readonly above: string | null
}

/**
 * Sorts .htaccess files by what they say and by what those above them say: what becomes of one becomes of all of its kind. The one that stands for a kind lies below those that
 * stand for the kinds above; where no file of the kind lies there, its path is made up.
 * @param apart folders that are like no other, because something is not known of them: what lies above or below one is alike only below the same one
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
