import type { LoadOptions } from '@gatewright/core'
import { COMPILED_IN } from '../compiled-in.ts'
import { MODULES_FOLDER, STANDARD_FILES } from '../program.ts'

type OfEveryLoad = 'program' | 'modulesFolder' | 'standardFiles' | 'environment' | 'report' | 'builtIn'

/** What is the same whenever a tool of this installation loads a configuration. Warnings about it are for `httpd -t` to print. */
export const INSTALLATION: Pick<LoadOptions, OfEveryLoad> = {
  program: 'gatewright',
  modulesFolder: MODULES_FOLDER,
  standardFiles: STANDARD_FILES,
  environment: process.env,
  report: () => undefined,
  builtIn: COMPILED_IN,
}
