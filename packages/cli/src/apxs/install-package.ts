import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspectModule } from '@gatewright/core'
import { readModuleFile } from '@gatewright/module-kit/module-file'
import { compileModule } from './compile.ts'
import type { ApxsConsole } from './console.ts'
import { ApxsFailure } from './failure.ts'
import { installModule } from './install.ts'
import type { Installation } from './installation.ts'
import { fetchPackage, type ModulePackage } from './module-package.ts'
import type { NamedModule } from './module-to-edit.ts'
import type { ApxsOptions } from './options.ts'
import { loadToolchain } from './toolchain.ts'

/**
 * `apxs -i NAME`: installs the module of a package of npm: its built file, or what is built from its sources. Nothing is
 * installed if the module declares capabilities that `--allow` does not list. None of its code is executed.
 */
export async function installPackage(
  word: string,
  options: ApxsOptions,
  installation: Installation,
  console: ApxsConsole,
): Promise<NamedModule> {
  const work = mkdtempSync(join(tmpdir(), 'apxs-'))
  try {
    const fetched = fetchPackage(word, work, console)
    const file = await fileOf(fetched, options, installation, console)
    requireAllowed(fetched, file, word, options.allow, console)
    return installModule(file, options.name, installation, console)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function fileOf(
  { folder, name, version, built, source }: ModulePackage,
  options: ApxsOptions,
  installation: Installation,
  console: ApxsConsole,
): Promise<string> {
  if (built !== undefined) {
    const { refusal } = inspectModule(null, built, built, undefined)
    if (refusal === null || source === undefined) {
      await requireHonest(built, installation)
      return built
    }
    console.err(`the built file of ${name} ${version} is refused: ${refusal.message}`)
  }
  if (source === undefined) {
    const hint = 'its author can run apxs -c before npm pack, and name mod_NAME.mjs as "main" and in "files" of package.json'
    throw new ApxsFailure(`${name} ${version} contains neither a built module nor src/index.ts`, hint)
  }
  console.err(`building ${name} ${version} from its sources`)
  const kit = await loadToolchain(installation)
  const output = join(folder, kit.readIdentity(source).source.replace(/c$/, 'mjs'))
  return compileModule([source], { ...options, output, upgrade: false, foreign: [] }, installation, console)
}

/** A file that was built elsewhere must declare what its text shows. */
async function requireHonest(file: string, installation: Installation): Promise<void> {
  const { stamp } = readModuleFile(file)
  if (stamp?.capabilities === undefined) return
  const kit = await loadToolchain(installation)
  for (const [capability, user] of kit.neededCapabilities(readFileSync(file, 'utf8'))) {
    if (stamp.capabilities.includes(capability)) continue
    throw new ApxsFailure(
      `${stamp.module} uses ${user}, but its stamp does not declare ${capability}`,
      'do not install it: the stamp was not made by the tools of this server',
    )
  }
}

function requireAllowed(
  { name, version }: ModulePackage,
  file: string,
  word: string,
  allow: readonly string[],
  console: ApxsConsole,
): void {
  const { stamp } = readModuleFile(file)
  if (stamp === undefined) throw new ApxsFailure(`${name} ${version}: its file has no stamp`)
  console.err(`${name} ${version}: ${stamp.module}, source ${stamp.source}, built against API ${stamp.api}`)
  const declared = stamp.capabilities?.join(', ') || 'nothing'
  console.err(
    stamp.capabilities === undefined
      ? 'capabilities: not recorded, because it was built before API 2.4.6'
      : `capabilities: it declares ${declared}; this is information, not a sandbox`,
  )
  const missing = (stamp.capabilities ?? ['all']).filter((each) => !allow.includes(each) && !allow.includes('all'))
  if (missing.length === 0) return
  const wanted = (stamp.capabilities ?? ['all']).join(',')
  throw new ApxsFailure(
    `${name} was not installed, because of the capabilities that it declares`,
    `if the module may have them: apxs -i --allow=${wanted} ${word}`,
  )
}
