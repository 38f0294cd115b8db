import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfigVars } from '@gatewright/module-kit/config-vars'

/**
 * LIBEXECDIR of the server that this package came with. It is read from `config_vars.mk` in the `build`
 * folder beside `include` or at the path in GATEWRIGHT_CONFIG_VARS. The package of npm has the modules in a folder of its
 * own. In other layouts, it is the answer of the apxs in PATH, which npm finds through the links that `apxs -g` creates.
 * @throws an error with instructions if none of them exists
 */
export function installedModules(): string {
  const file = process.env.GATEWRIGHT_CONFIG_VARS ?? configVarsBeside(import.meta.url)
  const packed = join(dirname(fileURLToPath(import.meta.url)), 'modules')
  if (file === undefined && existsSync(packed)) return packed
  const modules = file === undefined ? toldByApxs() : readConfigVars(file).get('libexecdir')
  if (modules === undefined) throw new Error(`${file}: there is no libexecdir in it\n${HINT}`)
  return modules
}

function configVarsBeside(url: string): string | undefined {
  const include = dirname(dirname(dirname(fileURLToPath(url))))
  const file = join(dirname(include), 'build/config_vars.mk')
  return existsSync(file) ? file : undefined
}

function toldByApxs(): string {
  try {
    return execFileSync('apxs', ['-q', 'LIBEXECDIR'], { encoding: 'utf8' }).trimEnd()
  } catch (error) {
    throw new Error(`no installed modules: ${error instanceof Error ? error.message : error}\n${HINT}`)
  }
}

const HINT = 'hint: start the test with npm test, or put the apxs of the server into PATH'
