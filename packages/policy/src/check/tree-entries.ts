import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'

/** Something in a tree. */
export interface TreeEntry {
  /** Absolute, one character for each byte. */
  readonly path: string
  readonly name: string
  /** Links to folders are not followed: they may lead anywhere, or form a cycle. */
  readonly kind: 'folder' | 'linked folder' | 'file'
  /** Path of the folder that it is in. */
  readonly folder: string
}

/**
 * Everything below a folder, breadth first, by name. A folder that cannot be read, or disappears in the
 * meantime, counts as empty.
 */
export function* treeEntries(top: string): Generator<TreeEntry, void, void> {
  const folders = [top]
  for (const folder of folders) {
    for (const entry of entriesOf(folder)) {
      const path = `${folder}/${entry.name}`
      const kind = kindOf(entry, path)
      if (kind === 'folder') folders.push(path)
      yield { path, name: entry.name, kind, folder }
    }
  }
}

/** The .htaccess files of a tree. */
export interface AccessTexts {
  /** By path, one character for each byte. */
  readonly texts: ReadonlyMap<string, string>
  /** False when links lead to folders that may have others. */
  readonly complete: boolean
}

export function accessTexts(folder: string): AccessTexts {
  const texts = new Map<string, string>()
  let complete = true
  for (const { path, name, kind } of treeEntries(folder)) {
    if (kind === 'linked folder') complete = false
    if (name !== '.htaccess') continue
    try {
      texts.set(path, readFileSync(bytes(path), 'latin1'))
    } catch {
      // Requests for anything below it report the reason.
    }
  }
  return { texts, complete }
}

function entriesOf(path: string): Dirent[] {
  try {
    const entries = readdirSync(bytes(path), { encoding: 'latin1', withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

function kindOf(entry: Dirent, path: string): TreeEntry['kind'] {
  if (entry.isDirectory()) return 'folder'
  if (!entry.isSymbolicLink()) return 'file'
  try {
    return statSync(bytes(path), { throwIfNoEntry: false })?.isDirectory() === true ? 'linked folder' : 'file'
  } catch {
    return 'file'
  }
}

/** A path in the form of the system. */
function bytes(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}
