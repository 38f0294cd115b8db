import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError, FileSource, type PathKind } from '@gatewright/core'
import { absolutePath, bytePath } from '../byte-path.ts'
import { DEFAULT_CONFIG_FILE, DEFAULT_ROOT } from '../program.ts'
import { adoptEnvironment } from './debian-environment.ts'
import { rootOf } from './server-root.ts'

/** A server's configuration, found. Paths are absolute, one character for each byte. */
export interface ConfigurationAt {
  readonly serverRoot: string
  readonly configFile: string
}

/**
 * Finds the configuration that a command line names, in the same way for every verb: a file is relative to the
 * current folder, or below the folder of -d if it is only there. Without a file, it is the main file below -d;
 * without -d, that of `APACHE_CONFDIR`, as for apachectl, or of this installation. The variables of an `envvars` file
 * beside it are adopted.
 * @throws ConfigError if there is no such file
 */
export function configurationAt(file: string | null, root: string | null): ConfigurationAt {
  const folder = root ?? (file === null ? (process.env.APACHE_CONFDIR ?? null) : null)
  const configFile = file === null ? mainFile(folder) : namedFile(file, folder)
  adoptEnvironment(dirname(configFile))
  if (root !== null) return { serverRoot: absolutePath(root), configFile }
  return { serverRoot: configFile === resolve(DEFAULT_ROOT, DEFAULT_CONFIG_FILE) ? DEFAULT_ROOT : rootOf(configFile), configFile }
}

/** The main configuration file in a folder that holds a whole configuration, as /etc/apache2 does; else null. */
export function mainFileIn(folder: string): string | null {
  return isThere(join(folder, 'apache2.conf')) ? join(folder, 'apache2.conf') : null
}

function mainFile(folder: string | null): string {
  if (folder === null) return resolve(DEFAULT_ROOT, DEFAULT_CONFIG_FILE)
  const root = absolutePath(folder)
  const found = [...MAIN_FILES, DEFAULT_CONFIG_FILE].map((name) => resolve(root, name)).find(isThere)
  if (found === undefined) throw missing(root, `-d names a folder with ${MAIN_FILES.join(', ')}; -f names the file itself`)
  return found
}

const MAIN_FILES = ['conf/httpd.conf', 'apache2.conf', 'httpd.conf']

function namedFile(file: string, folder: string | null): string {
  const here = absolutePath(file)
  if (isThere(here)) return here
  const below = folder === null ? resolve(DEFAULT_ROOT, file) : resolve(absolutePath(folder), file)
  if (isThere(below)) return below
  throw missing(
    here,
    below === here ? 'check the name' : `there is no ${below} either: relative names start in the current folder`,
  )
}

function missing(path: string, hint: string): ConfigError {
  return new ConfigError('read', path, 0, `Could not open configuration file ${path}: No such file or directory`, hint)
}

function isThere(path: string): boolean {
  return existsSync(bytePath(path))
}

/**
 * Reads files for tools. The folders in /run that apachectl creates before each start count as existing: their absence
 * means only that the server has not run since the last boot.
 */
export class ToolSource extends FileSource {
  override kind(path: string): PathKind {
    const kind = super.kind(path)
    return kind === 'missing' && isRuntimeFolder(path) ? 'directory' : kind
  }
}

function isRuntimeFolder(path: string): boolean {
  const { APACHE_RUN_DIR, APACHE_LOCK_DIR } = process.env
  return [APACHE_RUN_DIR, APACHE_LOCK_DIR].some((folder) => folder !== undefined && resolve(folder) === resolve(path))
}
