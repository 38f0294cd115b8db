import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StandardFiles } from '@gatewright/core'
import { LAYOUT } from './layout.ts'
import type { HttpdOptions } from './options.ts'

/** The name of this program in messages, regardless of the file that was started. */
export const PROGRAM = 'httpd'

/** The entry file of this process and of every role. */
export const ENTRY: string = process.argv[1] ?? ''

/** ServerRoot without -d: the parent of the program's folder, or the value given to configure. */
export const DEFAULT_ROOT: string = resolve(dirname(dirname(ENTRY)), LAYOUT.root)

export const DEFAULT_CONFIG_FILE: string = LAYOUT.configFile

/** Defaults of a configuration, below its ServerRoot. */
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

/** The modules of this program. */
export const MODULES_FOLDER: string = resolve(DEFAULT_ROOT, LAYOUT.modules)

/** The list of the modules that were built with this program, which the build writes beside it. */
export const OWN_MODULES: string = fileURLToPath(new URL('./gatewright-own-modules.json', import.meta.url))

/** The folder of compiled code that is kept between starts. */
export const COMPILE_CACHE: string = resolve(DEFAULT_ROOT, LAYOUT.compileCache)

/** The build settings of the installation. */
export const CONFIG_VARIABLES: string = resolve(DEFAULT_ROOT, LAYOUT.configVariables)
