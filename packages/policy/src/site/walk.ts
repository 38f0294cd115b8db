import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { PolicyServer } from '../policy-server.ts'

/** Maximum number of folders to read. */
const MAX_FOLDERS = 20_000

/** Everything below the served folders; links to folders are not followed. */
export interface Walked {
  readonly folders: readonly string[]
  /** .htaccess files, read by the server or not, each with its folder. */
  readonly accessFiles: ReadonlyMap<string, string>
}

/** Reads the folders that are served. */
export function walk({ configuration }: PolicyServer): Walked {
  const folders: string[] = []
  const accessFiles = new Map<string, string>()
  for (const root of configuration.servedFolders()) {
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) continue
    for (const { folder, file } of configuration.checkAccessFiles(root)) {
      if (folders.length >= MAX_FOLDERS) return { folders, accessFiles }
      folders.push(folder)
      if (file !== null) accessFiles.set(file.path, dirname(file.path))
    }
  }
  return { folders, accessFiles }
}
