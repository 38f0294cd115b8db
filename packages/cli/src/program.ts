import { dirname, resolve } from 'node:path'
import type { StandardFiles } from '@gatewright/core'
import { LAYOUT } from './layout.ts'
import type { HttpdOptions } from './options.ts'

/** What this program calls itself in messages, however it was started. */
export const PROGRAM = 'httpd'

/** The file that the process began with, and every role begins with. */
export const ENTRY: string = process.argv[1] ?? ''

/** ServerRoot unless -d says otherwise: the folder above the one that holds the program, or what configure was told. */
export const DEFAULT_ROOT: string = resolve(dirname(dirname(ENTRY)), LAYOUT.root)

export const DEFAULT_CONFIG_FILE: string = LAYOUT.configFile

/** What a configuration that does not say so uses, below its ServerRoot. */
export const STANDARD_FILES: StandardFiles = {
  pidFile: LAYOUT.pidFile,
  errorLog: LAYOUT.errorLog,
  documentRoot: LAYOUT.documentRoot,
  typesConfig: LAYOUT.typesConfig,
}

/** ServerRoot and configuration file of a command line, absolute. */
export function startPaths(options: HttpdOptions): { readonly serverRoot: string; readonly configFile: string } {
  const serverRoot = options.serverRoot === null ? DEFAULT_ROOT : resolve(options.serverRoot)
  return { serverRoot, configFile: resolve(serverRoot, options.configFile ?? DEFAULT_CONFIG_FILE) }
}

/** The modules that came with this program. */
export const MODULES_FOLDER: string = resolve(DEFAULT_ROOT, LAYOUT.modules)

/** Where compiled code is kept between starts. */
export const COMPILE_CACHE: string = resolve(DEFAULT_ROOT, LAYOUT.compileCache)

/** What the installation was built with. */
export const CONFIG_VARIABLES: string = resolve(DEFAULT_ROOT, LAYOUT.configVariables)
