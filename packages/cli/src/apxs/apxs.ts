import { activateModule } from './activate.ts'
import { compileModule } from './compile.ts'
import type { ApxsConsole } from './console.ts'
import { develop } from './dev/develop.ts'
import { ApxsFailure, COMMAND_FAILED, CommandFailure } from './failure.ts'
import { generateModule } from './generate.ts'
import { installModule } from './install.ts'
import { installPackage } from './install-package.ts'
import { type Installation, readInstallation, UnknownVariable } from './installation.ts'
import { isPackageWord } from './module-package.ts'
import { moduleToEdit, type NamedModule } from './module-to-edit.ts'
import { type ApxsOptions, parseApxsOptions } from './options.ts'
import { answerQuery, printAll } from './query.ts'
import { makeKey, signModules } from './sign.ts'
import { sourcesOf } from './sources.ts'
import { DEVELOP_HINT, USAGE } from './usage.ts'

/** The command line of `apxs`, the tool of module authors. @returns the exit status, 0 or 1 */
export async function apxs(argv: readonly string[], console: ApxsConsole): Promise<number> {
  const options = parseApxsOptions(argv)
  if ('problem' in options) {
    console.err(`apxs:Error: ${options.problem}.`)
    return usage(console)
  }
  if (!isRequest(options)) return usage(console)
  try {
    await run(options, readInstallation(options.settings), console)
    return 0
  } catch (error) {
    if (error instanceof UnknownVariable) {
      console.err(`apxs:Error: ${error.message}`)
      return usage(console)
    }
    if (!(error instanceof ApxsFailure)) throw error
    for (const line of error.lines) console.err(`apxs:Error: ${line}.`)
    if (error.hint !== undefined) console.err(`hint: ${error.hint}`)
    if (error instanceof CommandFailure) console.err(`apxs:Error: ${COMMAND_FAILED}.`)
    return 1
  }
}

/** Whether a command line requests a valid action. */
function isRequest({ dev, newKey, sign, generate, query, compile, install, edit, name, words }: ApxsOptions): boolean {
  if (newKey || sign) return newKey !== sign && (newKey ? words.length === 1 : words.length > 1) && !compile && !install && !edit
  if (dev !== null) return words.length <= 1 && !query && !generate && !compile && !install && !edit
  if (query || (generate && name !== undefined)) return true
  return (compile && sourcesOf(words).length > 0) || ((install || edit) && words.length > 0)
}

function usage(console: ApxsConsole): number {
  console.err(USAGE)
  console.err(`hint: ${DEVELOP_HINT}`)
  return 1
}

async function run(options: ApxsOptions, installation: Installation, console: ApxsConsole): Promise<void> {
  const { dev, generate, query, compile, install, edit, name, line, words, aligned } = options
  if (dev !== null) {
    await develop({ ...dev, folder: words[0] }, installation, console)
    return
  }
  if (generate && name !== undefined) {
    generateModule(name, installation, console)
    return
  }
  if (options.newKey) makeKey(words[0], console)
  if (options.sign) signModules(words[0], words.slice(1), console)
  if (options.newKey || options.sign) return
  if (query && words.length > 0) answerQuery(installation, words, console)
  else if (query) printAll(installation, aligned ? 'aligned' : 'plain', console)
  if (query) return
  const files = compile ? [await compileModule(sourcesOf(words), options, installation, console)] : words
  if (!install && !edit) return
  const modules: [NamedModule, ApxsOptions['line']][] = []
  for (const file of files) {
    // Who installs a package wants to use it, unlike build scripts, which give files.
    if (!compile && install && isPackageWord(file))
      modules.push([await installPackage(file, options, installation, console), line === 'untouched' ? 'active' : line])
    else modules.push([install ? installModule(file, name, installation, console) : moduleToEdit(file, name, installation), line])
  }
  for (const [module, state] of modules) if (state !== 'untouched') activateModule(module, state, installation, console)
}
