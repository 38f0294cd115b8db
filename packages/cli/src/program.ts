import { dirname, join, resolve } from 'node:path'
import type { HttpdOptions } from './options.ts'

/** What this program calls itself in messages, however it was started. */
export const PROGRAM = 'httpd'

/** The file that the process began with, and every role begins with. */
export const ENTRY: string = process.argv[1] ?? ''

/** ServerRoot unless -d says otherwise: the folder above the one that holds the program. */
export const DEFAULT_ROOT: string = dirname(dirname(ENTRY))

export const DEFAULT_CONFIG_FILE = 'conf/httpd.conf'

/** ServerRoot and configuration file of a command line, absolute. */
export function startPaths(options: HttpdOptions): { readonly serverRoot: string; readonly configFile: string } {
  const serverRoot = options.serverRoot === null ? DEFAULT_ROOT : resolve(options.serverRoot)
  return { serverRoot, configFile: resolve(serverRoot, options.configFile ?? DEFAULT_CONFIG_FILE) }
}

/** The modules that came with this program. */
export const MODULES_FOLDER: string = join(DEFAULT_ROOT, 'modules')

/** Where compiled code is kept between starts: with the installation, not with a ServerRoot that others may own. */
export const COMPILE_CACHE: string = join(DEFAULT_ROOT, 'logs/compile-cache')
