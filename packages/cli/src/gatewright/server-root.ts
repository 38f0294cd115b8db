import { basename, dirname } from 'node:path'

/** The default ServerRoot: conf/httpd.conf is in a ServerRoot; a file elsewhere is in its own. */
export function rootOf(configFile: string): string {
  const folder = dirname(configFile)
  return basename(folder) === 'conf' ? dirname(folder) : folder
}
