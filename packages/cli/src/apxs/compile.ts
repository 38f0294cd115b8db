import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API_VERSION } from '@gatewright/api'
import type { PointedDiagnostic, SourceDiagnostic } from '@gatewright/module-kit'
import { placeFile } from '@gatewright/module-kit/place'
import type { ApxsConsole } from './console.ts'
import { definitions } from './definitions.ts'
import { CommandFailure, reasonOf } from './failure.ts'
import type { Installation } from './installation.ts'
import type { ApxsOptions } from './options.ts'
import { compiledAgainst, linkPackages } from './packages.ts'
import { packageFolderOf, refuseOtherLanguages } from './sources.ts'
import { loadToolchain, type Toolchain, toolchainFolder } from './toolchain.ts'

/**
 * `apxs -c`: type-checks sources against the API of this server and makes one stamped file of them. When anything is wrong nothing is written.
 * @returns the file: `mod_hello.mjs` in the present folder, or what -o says
 */
export async function compileModule(
  files: readonly string[],
  options: ApxsOptions,
  installation: Installation,
  console: ApxsConsole,
): Promise<string> {
  refuseOtherLanguages(files)
  const define = definitions(options.defines)
  for (const option of options.foreign) console.err(`apxs: ${option} is for C compilers and has no meaning here`)
  const packageFolder = packageFolderOf(files[0])
  if (packageFolder !== undefined) linkPackages(packageFolder, installation, console)
  const kit = await loadToolchain(installation)
  await check(kit, files, options, installation, console)
  const { entry, name } = mainSource(kit, files)
  const output = options.output === undefined ? `${name}.mjs` : withEnding(options.output)
  console.err(`building ${output}`)
  const work = mkdtempSync(join(tmpdir(), 'apxs-'))
  try {
    const outFile = join(work, `${name}.mjs`)
    await kit.buildModule({ entry, outFile, packages: compiledAgainst(installation), define })
    placeFile(readFileSync(outFile), output)
  } catch (error) {
    throw new CommandFailure(`cannot make ${output}: ${reasonOf(error)}`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return output
}

async function check(
  kit: Toolchain,
  files: readonly string[],
  { upgrade }: ApxsOptions,
  installation: Installation,
  console: ApxsConsole,
): Promise<void> {
  console.err(`checking ${files.join(' ')} against module API ${API_VERSION}`)
  const typeRoots = [join(toolchainFolder(installation.build), 'node_modules/@types')]
  const checked = (): readonly SourceDiagnostic[] =>
    kit.checkSources({ files, packages: compiledAgainst(installation), typeRoots })
  if (upgrade) {
    const result = await kit.upgradeSources({ files: [...new Set(files.flatMap(kit.reachableFiles))], check: checked })
    for (const line of kit.upgradeReport(result)) console.err(line)
    if (result.remaining.length > 0) throw refusal(result.remaining, installation)
    return
  }
  const diagnostics = kit.pointDiagnostics(checked())
  if (diagnostics.length === 0) return
  for (const line of diagnostics.flatMap(kit.diagnosticLines)) console.err(line)
  throw refusal(diagnostics, installation)
}

function refusal(diagnostics: readonly PointedDiagnostic[], { build }: Installation): CommandFailure {
  const isPointed = diagnostics.some(({ pointer }) => pointer !== null)
  return new CommandFailure([], isPointed ? `UPGRADING.md is ${join(toolchainFolder(build), 'UPGRADING.md')}` : undefined)
}

/** The source that defines the module, itself or through what it imports. */
function mainSource(kit: Toolchain, files: readonly string[]): { readonly entry: string; readonly name: string } {
  const reasons: string[] = []
  for (const entry of files) {
    try {
      return { entry, name: kit.readIdentity(entry).source.replace(/\.c$/, '') }
    } catch (error) {
      reasons.push(reasonOf(error))
    }
  }
  throw new CommandFailure(reasons, 'see what apxs -g -n NAME makes for an example')
}

/** Build scripts ask for `mod_x.la` or `mod_x.so`; what is made is a `.mjs`. */
function withEnding(output: string): string {
  return `${output.replace(/\.[^./]+$/, '')}.mjs`
}
