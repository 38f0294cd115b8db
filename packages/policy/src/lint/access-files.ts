import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkHtaccess, servedFolders } from '@gatewright/core'
import type { PolicyServer } from '../policy-server.ts'

/** Folders looked into at most. */
const MAX_FOLDERS = 20_000

/** .htaccess files below the folders that are served, whether the server reads them or not, each with its folder. */
export function accessFilesOf({ snapshot }: PolicyServer): ReadonlyMap<string, string> {
  const { generation, services } = snapshot
  const found = new Map<string, string>()
  let looked = 0
  for (const root of servedFolders(generation)) {
    if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) continue
    for (const { file } of checkHtaccess(generation, services, root)) {
      if (file !== null) found.set(file.path, dirname(file.path))
      if (++looked >= MAX_FOLDERS) return found
    }
  }
  return found
}
