import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Options } from 'tsup'
import { conditionsFor } from './bundling.ts'
import { finishModule } from './finish.ts'
import { placeFile } from './place.ts'

/** The folder to which this project's own modules are staged, relative to a module's folder. */
const STAGED_MODULES = '../../dist/modules'

/**
 * The complete tsup configuration of a module package: `src/index.ts` and everything that it imports become
 * `dist/NAME.mjs`, stamped. If a server root is already staged, it receives the new file immediately.
 * @param name the module's file name without its extension, `mod_greeting`
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
    // Modules such as node:sqlite exist only under their full name.
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
