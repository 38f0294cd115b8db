import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Options } from 'tsup'
import { conditionsFor } from './bundling.ts'
import { finishModule } from './finish.ts'
import { placeFile } from './place.ts'

/** Where this project's own modules are staged, seen from a module's folder. */
const STAGED_MODULES = '../../dist/modules'

/**
 * The whole tsup configuration of a module package: `src/index.ts` and all it imports become `dist/NAME.mjs`, stamped. A server root
 * that is already staged beside the modules gets the new file at once.
 * @param name the module's file name without ending, `mod_greeting`
 */
export function moduleConfig(name: string): Options {
  if (!/^mod_\w+$/.test(name)) throw new TypeError(`a module's file name must begin with mod_: ${name}`)
  const folder = process.cwd()
  return {
    entry: { [name]: 'src/index.ts' },
    format: ['esm'],
    target: 'node24',
    platform: 'node',
    noExternal: [/./],
    outExtension: () => ({ js: '.mjs' }),
    splitting: false,
    sourcemap: false,
    dts: false,
    clean: true,
    // node:sqlite and its like exist under their full name only.
    removeNodeProtocol: false,
    esbuildOptions(options) {
      options.conditions = conditionsFor(folder)
    },
    async onSuccess() {
      const file = join(folder, 'dist', `${name}.mjs`)
      await finishModule(file, join(folder, 'src/index.ts'), name)
      const staged = resolve(folder, STAGED_MODULES)
      if (existsSync(staged)) placeFile(readFileSync(file), join(staged, `${name}.mjs`))
    },
  }
}
