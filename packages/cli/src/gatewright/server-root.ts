import { basename, dirname } from 'node:path'

/** ServerRoot, where nobody says: conf/httpd.conf lies in a ServerRoot; a file elsewhere in one of its own. */
export function rootOf(configFile: string): string {
  const folder = dirname(configFile)
  return basename(folder) === 'conf' ? dirname(folder) : folder
}
