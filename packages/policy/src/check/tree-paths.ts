import { treeEntries } from './tree-entries.ts'

/** A folder or file that a tree serves. */
export interface TreePath {
  /** Path of the URL, escaped; that of a folder ends with a slash. */
  readonly url: string
  readonly folders: readonly TreePath[]
  readonly files: readonly TreePath[]
  /** Files with names that begin with .ht: a server refuses them as a rule. */
  readonly htFiles: readonly TreePath[]
}

/** The content of a document root up to a number of paths, and how many there are beyond it. */
export function treePaths(folder: string, most: number): { readonly root: TreePath; readonly left: number } {
  const root = growing('/')
  const made = new Map([[folder, root]])
  let left = 0
  for (const { path, name, kind, folder: around } of treeEntries(folder)) {
    const into = made.get(around)
    if (into === undefined || made.size >= most) {
      left++
      continue
    }
    const isFolder = kind !== 'file'
    const one = growing(`${into.url}${urlName(name)}${isFolder ? '/' : ''}`)
    made.set(path, one)
    if (isFolder) into.folders.push(one)
    else if (name.startsWith('.ht')) into.htFiles.push(one)
    else into.files.push(one)
  }
  return { root, left }
}

interface Growing extends TreePath {
  readonly folders: TreePath[]
  readonly files: TreePath[]
  readonly htFiles: TreePath[]
}

function growing(url: string): Growing {
  return { url, folders: [], files: [], htFiles: [] }
}

function urlName(name: string): string {
  return name.replace(/[^\w.~!$&'()*+,;=@:-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
