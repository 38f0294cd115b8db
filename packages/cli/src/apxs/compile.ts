import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API_VERSION } from '@gatewright/api'
import { placeFile } from '@gatewright/module-kit/place'
import type { ApxsConsole } from './console.ts'
import { definitions } from './definitions.ts'
import { CommandFailure, reasonOf } from './failure.ts'
import type { Installation } from './installation.ts'
import type { ApxsOptions } from './options.ts'
import { compiledAgainst, linkPackages } from './packages.ts'
import { packageFolderOf, refuseOtherLanguages } from './sources.ts'
import { type CheckOptions, loadToolchain, type Toolchain, toolchainFolder, upgradeGuide } from './toolchain.ts'
import { upgradeModule } from './upgrade.ts'

/**
 * `apxs -c`: type-checks sources against the API of this server and bundles them into one stamped file. If
 * anything is wrong, nothing is written.
 * @returns the file: `mod_hello.mjs` in the current folder, or the argument of -o
 */
export async function compileModule(
  files: readonly string[],
  options: ApxsOptions,
  installation: Installation,
  console: ApxsConsole,
): Promise<string> {
  refuseOtherLanguages(files)
  const define = definitions(options.defines)
  for (const option of options.foreign) console.err(`apxs: ${option} is an option of C compilers and has no effect here`)
  const packageFolder = packageFolderOf(files[0])
  if (packageFolder !== undefined) linkPackages(packageFolder, installation, console)
  const kit = await loadToolchain(installation)
  const sources = {
    files,
    packages: compiledAgainst(installation),
    typeRoots: [join(toolchainFolder(installation.build), 'node_modules/@types')],
  }
  if (options.upgrade) upgradeModule(kit, sources, installation, console)
  check(kit, sources, installation, console)
  const { entry, name } = mainSource(kit, files)
  const output = options.output === undefined ? `${name}.mjs` : withEnding(options.output)
  console.err(`building ${output}`)
  const work = mkdtempSync(join(tmpdir(), 'apxs-'))
  try {
    const outFile = join(work, `${name}.mjs`)
    await kit.buildModule({ entry, outFile, packages: compiledAgainst(installation), define, sourceMap: true })
    placeFile(readFileSync(outFile), output)
  } catch (error) {
    throw new CommandFailure(`cannot create ${output}: ${reasonOf(error)}`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return output
}

function check(kit: Toolchain, sources: CheckOptions, installation: Installation, console: ApxsConsole): void {
  console.err(`checking ${sources.files.join(' ')} against module API ${API_VERSION}`)
  const diagnostics = kit.pointDiagnostics(kit.checkSources(sources))
  if (diagnostics.length === 0) return
  for (const diagnostic of diagnostics) console.err(kit.printPointed(diagnostic, process.cwd()))
  const isOld = diagnostics.some(({ pointer }) => pointer !== null)
  throw new CommandFailure([], isOld ? oldModuleHint(installation) : undefined)
}

/** Advice about sources that were written for the API of 2.2. */
function oldModuleHint({ build }: Installation): string {
  return `apxs -c --upgrade makes the mechanical changes and keeps the original text as FILE.orig; UPGRADING.md is ${upgradeGuide(build)}`
}

/** The source that defines the module, itself or through its imports. */
function mainSource(kit: Toolchain, files: readonly string[]): { readonly entry: string; readonly name: string } {
  const reasons: string[] = []
  for (const entry of files) {
    try {
      return { entry, name: kit.readIdentity(entry).source.replace(/\.c$/, '') }
    } catch (error) {
      reasons.push(reasonOf(error))
    }
  }
  throw new CommandFailure(reasons, 'for an example, see the output of apxs -g -n NAME')
}

/** Build scripts expect `mod_x.la` or `mod_x.so`; the output is a `.mjs`. */
function withEnding(output: string): string {
  return `${output.replace(/\.[^./]+$/, '')}.mjs`
}
