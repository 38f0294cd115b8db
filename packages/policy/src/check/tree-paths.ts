import { type Dirent, readdirSync, readFileSync } from 'node:fs'

/** A folder or file that a tree serves. */
export interface TreePath {
  /** Path of the URL, escaped; that of a folder ends with a slash. */
  readonly url: string
  readonly folders: readonly TreePath[]
  readonly files: readonly TreePath[]
}

export interface TreeReading {
  readonly root: TreePath
  /** .htaccess files by path, one character for each byte. */
  readonly accessFiles: ReadonlyMap<string, string>
  /** Paths that were passed over because there are too many. */
  readonly left: number
}

/**
 * Reads what a document root has, breadth first, up to a number of paths. Links are not followed: they count as files. What cannot be looked into, or goes
 * away meanwhile, counts as empty.
 */
export function readTree(folder: string, most: number): TreeReading {
  const accessFiles = new Map<string, string>()
  const root = { url: '/', folders: [], files: [] }
  const waiting: { readonly path: string; readonly into: Growing }[] = [{ path: folder, into: root }]
  let count = 1
  let left = 0
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, into } = next
    for (const entry of entriesOf(path)) {
      const below = `${path}/${entry.name}`
      if (entry.name === '.htaccess') keepText(accessFiles, below)
      // The server refuses them whatever a tree says; they would only hide the rest.
      if (entry.name.startsWith('.ht')) continue
      if (count >= most) {
        left++
        continue
      }
      count++
      const url = `${into.url}${urlName(entry.name)}`
      if (entry.isDirectory()) {
        const made: Growing = { url: `${url}/`, folders: [], files: [] }
        into.folders.push(made)
        waiting.push({ path: below, into: made })
      } else into.files.push({ url, folders: [], files: [] })
    }
  }
  return { root, accessFiles, left }
}

interface Growing extends TreePath {
  readonly folders: TreePath[]
  readonly files: TreePath[]
}

function entriesOf(path: string): Dirent[] {
  try {
    const entries = readdirSync(bytes(path), { encoding: 'latin1', withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

function keepText(texts: Map<string, string>, path: string): void {
  try {
    texts.set(path, readFileSync(bytes(path), 'latin1'))
  } catch {
    // The requests below will tell.
  }
}

/** A path as the system has it: its strings here have one character for each byte. */
function bytes(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}

function urlName(name: string): string {
  return name.replace(/[^\w.~!$&'()*+,;=@:-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
