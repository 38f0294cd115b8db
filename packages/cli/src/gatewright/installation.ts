import type { LoadOptions } from '@gatewright/core'
import { COMPILED_IN } from '../compiled-in.ts'
import { MODULES_FOLDER, OWN_MODULES, STANDARD_FILES } from '../program.ts'

type OfEveryLoad = 'program' | 'modulesFolder' | 'ownModules' | 'standardFiles' | 'environment' | 'report' | 'builtIn'

/**
 * The constant options with which a tool of this installation loads a configuration. `httpd -t` reports
 * warnings about it.
 */
export const INSTALLATION: Pick<LoadOptions, OfEveryLoad> = {
  program: 'gatewright',
  modulesFolder: MODULES_FOLDER,
  ownModules: OWN_MODULES,
  standardFiles: STANDARD_FILES,
  environment: process.env,
  report: () => undefined,
  builtIn: COMPILED_IN,
}
