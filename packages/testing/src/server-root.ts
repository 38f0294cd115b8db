import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Content by path below the root. Folders are made as they are needed. */
export type FileTree = Readonly<Record<string, string | Buffer>>

/** Files are as old as this, so that servers trust their time stamps. */
const MTIME = Date.UTC(2020, 0, 2, 3, 4, 5) / 1000

/** A folder with files in it, to serve from. `remove` deletes it. */
export function serverRoot(files: FileTree = {}): { readonly root: string; readonly remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'gatewright-test-'))
  for (const folder of ['conf', 'docs', 'logs']) mkdirSync(join(root, folder))
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    utimesSync(file, MTIME, MTIME)
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}
