import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { COMPILED_IN } from '../compiled-in.ts'
import { MODULES_FOLDER } from '../program.ts'

/** Files of every module of this program's installation. */
export function installedModules(): string[] {
  const compiledIn = new Set(COMPILED_IN.map(({ source }) => source.replace(/\.c$/, '.mjs')))
  return readdirSync(MODULES_FOLDER)
    .filter((name) => /^mod_\w+\.mjs$/.test(name) && !compiledIn.has(name))
    .map((name) => join(MODULES_FOLDER, name))
}
