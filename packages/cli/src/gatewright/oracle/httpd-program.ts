import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { OracleError } from './oracle-error.ts'

/** An Apache httpd that is installed on this machine. */
export interface HttpdProgram {
  readonly path: string
  /** As printed: `Apache/2.4.62 (Debian)`. */
  readonly version: string
  /** Modules that are part of it, `mod_so.c`. */
  readonly compiledIn: ReadonlySet<string>
  /** The folder of its other modules. */
  readonly modulesFolder: string
}

/** Usual folders of distributions, in addition to PATH. */
const PROGRAM_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/apache2/bin', '/opt/homebrew/bin']
const MODULE_FOLDERS = [
  '/usr/lib/apache2/modules',
  '/usr/lib64/httpd/modules',
  '/usr/lib/httpd/modules',
  '/usr/libexec/apache2',
  '/usr/libexec/httpd',
  '/usr/local/libexec/apache24',
  '/opt/homebrew/lib/httpd/modules',
]

/** @param name a path, or a name to search for in PATH @throws OracleError */
export function findHttpd(name: string, modulesFolder: string | null): HttpdProgram {
  const path = name.includes('/') ? resolve(name) : inPath(name)
  if (path === undefined || !isExecutable(path))
    throw new OracleError(`${name}: no such program`, 'give --oracle the path of an Apache httpd 2.4, or omit --oracle')
  const about = outputOf(path, '-V')
  const version = /Server version:\s*(Apache\/2\.4\S*[^\n]*)/.exec(about)?.[1]
  if (version === undefined)
    throw new OracleError(`${path} is not an Apache httpd 2.4`, 'its -V must print Server version: Apache/2.4')
  const compiledIn = new Set(outputOf(path, '-l').match(/\b\w+\.c\b/g) ?? [])
  const home = /HTTPD_ROOT="([^"]+)"/.exec(about)?.[1]
  const folders = [...(home === undefined ? [] : [join(home, 'modules')]), join(dirname(path), '../modules'), ...MODULE_FOLDERS]
  const found = modulesFolder ?? folders.find((folder) => existsSync(join(folder, 'mod_authz_core.so')))
  if (found === undefined && !compiledIn.has('mod_authz_core.c'))
    throw new OracleError(`the modules of ${path} were not found`, 'name their folder with --oracle-modules DIR')
  return { path, version, compiledIn, modulesFolder: found ?? '/nonexistent' }
}

function inPath(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...PROGRAM_FOLDERS]
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Debian's httpd complains about variables that only its start script sets, and prints its version
 * nevertheless.
 */
function outputOf(path: string, option: string): string {
  try {
    return execFileSync(path, [option], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 })
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : ''
  }
}
