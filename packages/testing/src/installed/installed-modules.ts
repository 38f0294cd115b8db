import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfigVars } from '@gatewright/module-kit/config-vars'

/**
 * LIBEXECDIR of the server that this package came with, which `config_vars.mk` tells: in the `build` folder beside `include`, or where
 * GATEWRIGHT_CONFIG_VARS says.
 * @throws an error that says what to do when neither is there
 */
export function installedModules(): string {
  const include = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
  const file = process.env.GATEWRIGHT_CONFIG_VARS ?? join(dirname(include), 'build/config_vars.mk')
  let modules: string | undefined
  try {
    modules = readConfigVars(file).get('libexecdir')
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}\n${HINT}`)
  }
  if (modules === undefined) throw new Error(`${file}: there is no libexecdir in it\n${HINT}`)
  return modules
}

const HINT =
  'hint: set GATEWRIGHT_CONFIG_VARS to the config_vars.mk of the installed server (apxs -q installbuilddir prints its folder)'
