/** A file, or a folder with the names in it. */
type Entry = { readonly kind: 'file'; readonly bytes: Uint8Array } | { readonly kind: 'folder'; readonly names: Set<string> }

let entries = new Map<string, Entry>()

/**
 * Replaces all files. Folders exist where files are in them, or where they are named.
 * @param files content by absolute path
 * @param folders absolute paths
 */
export function setFiles(files: ReadonlyMap<string, Uint8Array>, folders: Iterable<string>): void {
  entries = new Map([['/', { kind: 'folder', names: new Set() }]])
  for (const folder of folders) makeFolder(plainPath(folder))
  for (const [path, bytes] of files) {
    const plain = plainPath(path)
    makeFolder(parentOf(plain)).add(nameOf(plain))
    entries.set(plain, { kind: 'file', bytes })
  }
}

/** What is at a path; a code of the system if nothing is. */
export function entryAt(path: string): Entry | 'ENOENT' | 'ENOTDIR' {
  const plain = plainPath(path)
  const found = entries.get(plain)
  if (found !== undefined) return found.kind === 'file' && path.endsWith('/') ? 'ENOTDIR' : found
  for (let above = parentOf(plain); above !== '/'; above = parentOf(above)) {
    const entry = entries.get(above)
    if (entry?.kind === 'file') return 'ENOTDIR'
    if (entry !== undefined) break
  }
  return 'ENOENT'
}

/** The number of a path, which no other path has. */
export function numberOf(path: string): number {
  return [...entries.keys()].indexOf(plainPath(path)) + 2
}

/** An absolute path without `.`, `..`, double or trailing slashes; a relative path begins at the root. */
export function plainPath(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

function makeFolder(path: string): Set<string> {
  const found = entries.get(path)
  if (found?.kind === 'folder') return found.names
  const names = new Set<string>()
  entries.set(path, { kind: 'folder', names })
  if (path !== '/') makeFolder(parentOf(path)).add(nameOf(path))
  return names
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
