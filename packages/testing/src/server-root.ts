import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A file with permissions, such as a program. */
export interface FileWithMode {
  readonly text: string
  readonly mode: number
}

/** Content by path below the root. Missing folders are created. */
export type FileTree = Readonly<Record<string, string | Buffer | FileWithMode>>

/** The age of files, so that servers trust their time stamps. */
const MTIME = Date.UTC(2020, 0, 2, 3, 4, 5) / 1000

/** A folder with files to serve. `remove` deletes it. */
export function serverRoot(files: FileTree = {}): { readonly root: string; readonly remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'gatewright-test-'))
  for (const folder of ['conf', 'docs', 'logs']) mkdirSync(join(root, folder))
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(file, content)
    else {
      writeFileSync(file, content.text)
      chmodSync(file, content.mode)
    }
    utimesSync(file, MTIME, MTIME)
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}
