import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Subject } from '../analysis.ts'
import { fileKind } from '../documents/file-kind.ts'
import { toBytes } from './byte-texts.ts'

/** Names of main files, below a folder that may hold a whole configuration. */
const MAIN_FILES = ['apache2.conf', 'conf/httpd.conf', 'httpd.conf']

/** What a person has set, and the folders that the editor has opened; Unicode paths. */
export interface SubjectSettings {
  readonly configFile: string | null
  readonly folders: readonly string[]
}

/**
 * The configuration that a file belongs to: the one that was set; otherwise the nearest main file beside or above it;
 * otherwise the file alone, or for a .htaccess file the folder that the editor has opened.
 */
export function subjectOf(path: string, { configFile, folders }: SubjectSettings): Subject {
  if (configFile !== null) return server(configFile)
  const opened = folders
    .map((folder) => folder.replace(/(?<=.)\/$/, ''))
    .filter((folder) => path.startsWith(`${folder}/`))
    .sort((a, b) => a.length - b.length)[0]
  const isAccessFile = fileKind(path) === 'htaccess'
  // A new main file may not be on the disk yet.
  if (!isAccessFile && MAIN_FILES.includes(basename(path))) return server(path)
  // Documents say nothing about the server outside of what a person works on.
  const main = mainFileAbove(dirname(path), opened ?? (isAccessFile ? dirname(path) : '/'))
  if (main !== null) return server(main)
  return isAccessFile ? { kind: 'tree', folder: toBytes(opened ?? dirname(path)) } : server(path)
}

/** A file of a configuration is at most so deep below its main file: conf/extra/file.conf. */
const MOST_LEVELS = 6

function mainFileAbove(folder: string, last: string): string | null {
  for (let at = folder, left = MOST_LEVELS; left > 0; at = dirname(at), left--) {
    const found = MAIN_FILES.map((name) => join(at, name)).find((file) => existsSync(file))
    if (found !== undefined) return found
    if (at === last || at === dirname(at)) return null
  }
  return null
}

function server(configFile: string): Subject {
  return { kind: 'server', configFile: toBytes(configFile), serverRoot: null }
}
