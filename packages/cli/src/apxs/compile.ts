import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API_VERSION } from '@gatewright/api'
import { placeFile } from '@gatewright/module-kit/place'
import type { ApxsConsole } from './console.ts'
import { definitions } from './definitions.ts'
import { CommandFailure, reasonOf } from './failure.ts'
import type { Installation } from './installation.ts'
import { mainSource, moduleSources } from './module-sources.ts'
import type { ApxsOptions } from './options.ts'
import { compiledAgainst } from './packages.ts'
import { type CheckOptions, loadToolchain, type Toolchain, upgradeGuide } from './toolchain.ts'
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
  const define = definitions(options.defines)
  for (const option of options.foreign) console.err(`apxs: ${option} is an option of C compilers and has no effect here`)
  const sources = moduleSources(files, installation, console)
  const kit = await loadToolchain(installation)
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

/** Build scripts expect `mod_x.la` or `mod_x.so`; the output is a `.mjs`. */
function withEnding(output: string): string {
  return `${output.replace(/\.[^./]+$/, '')}.mjs`
}
