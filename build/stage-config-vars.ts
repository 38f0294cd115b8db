import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMPILED_IN_NAMES } from '../packages/cli/src/compiled-in-names.ts'
import { availableModules } from '../packages/module-kit/src/configure/command.ts'
import { configure } from '../packages/module-kit/src/configure/configure.ts'
import { configVariablesText } from '../packages/module-kit/src/install/config-variables.ts'
import { ROOT } from './inputs.cjs'
import { place } from './place.ts'

/** Names of httpd's `config_vars.mk` for a staged server root; folders are relative to it, so that it can be moved. */
export function stageConfigVars(root: string): void {
  mkdirSync(join(root, 'build'), { recursive: true })
  // What would have to be told to configure for this root: all modules, and those of packages/cli compiled in.
  const compiledIn = COMPILED_IN_NAMES.map((source) => source.replace(/^mod_|\.c$/g, '')).join(' ')
  const { status } = configure({
    words: [`--prefix=${root}`, '--enable-modules=reallyall', `--enable-mods-static=${compiledIn}`],
    environment: {},
    available: availableModules(ROOT),
    program: join(ROOT, 'build/configure'),
    readFile: (file) => readFileSync(file, 'utf8'),
  })
  place(join(root, 'build/config_vars.mk'), configVariablesText(status))
}
