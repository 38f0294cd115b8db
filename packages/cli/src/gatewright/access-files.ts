import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The .htaccess files of some folders and all below them. */
export interface AccessFiles {
  /** By absolute path, one character for each byte. */
  readonly texts: readonly (readonly [path: string, text: string])[]
  /** The folders that contain such a file. */
  readonly folders: readonly string[]
  /** Paths that could not be read, with the reason. */
  readonly unread: readonly string[]
  /** The folders of these paths. */
  readonly unreadFolders: readonly string[]
}

/** Maximum number of folders to read. */
const MAX_FOLDERS = 100_000

/**
 * Reads the files. Links to folders are not followed: a folder elsewhere belongs to another tree.
 * @param names of such files
 * @param onProgress receives the progress
 */
export function accessFilesBelow(
  roots: readonly string[],
  names: ReadonlySet<string>,
  onProgress: (progress: string) => void = () => undefined,
): AccessFiles {
  const texts: [string, string][] = []
  const folders: string[] = []
  const unread: string[] = []
  const unreadFolders: string[] = []
  const waiting = [...roots]
  const attempt = (folder: string, path: string, act: () => void): void => {
    try {
      act()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      unreadFolders.push(folder)
      unread.push(reason.includes(path) ? reason : `${path}: ${reason}`)
    }
  }
  for (let looked = 0; waiting.length > 0; looked++) {
    const folder = waiting.pop() ?? ''
    if (looked >= MAX_FOLDERS) {
      unread.push(`${folder} and all remaining folders: more than ${MAX_FOLDERS} folders`)
      break
    }
    onProgress(`${looked} folders, ${texts.length} files with rules`)
    attempt(folder, folder, () => {
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) waiting.push(path)
        else if (names.has(entry.name))
          attempt(folder, path, () => {
            texts.push([path, textOf(path)])
            folders.push(folder)
          })
        else if (entry.isSymbolicLink() && leadsOut(path, roots)) unread.push(`${path}: a link to a folder outside the tree`)
      }
    })
  }
  return { texts, folders, unread, unreadFolders }
}

/** The entries in a fixed order, independent of the file system. */
function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? 1 : -1))
}

/** @throws the system's error, also for files that are not text; reading a pipe might never end */
function textOf(path: string): string {
  if (!statSync(path).isFile()) throw new Error('not a regular file')
  const text = readFileSync(path, 'latin1')
  if (text.includes('\0')) throw new Error('not a text file: it contains zero bytes')
  if (text.startsWith(BYTE_ORDER_MARK))
    throw new Error('begins with a byte order mark, which httpd reads as part of the first word: remove it')
  return text
}

const BYTE_ORDER_MARK = '\xef\xbb\xbf'

function leadsOut(link: string, roots: readonly string[]): boolean {
  try {
    if (!statSync(link).isDirectory()) return false
    const target = realpathSync(link)
    return !roots.map((root) => realpathSync(root)).some((root) => target === root || target.startsWith(`${root}/`))
  } catch {
    // A dangling or circular link, which no request can follow.
    return false
  }
}
