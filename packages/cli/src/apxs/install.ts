import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { API_VERSION } from '@gatewright/api'
import { inspectModule, SIGNATURE_ENDING } from '@gatewright/core'
import { placeFile } from '@gatewright/module-kit/place'
import type { ApxsConsole } from './console.ts'
import { CommandFailure, reasonOf } from './failure.ts'
import type { Installation } from './installation.ts'
import { installedName, type NamedModule } from './module-to-edit.ts'

/**
 * `apxs -i`: copies a module's file to LIBEXECDIR atomically, if this server would load it: a file that the
 * server rejects would prevent its start.
 * @param name of -n; undefined for that of the stamp
 */
export function installModule(
  file: string,
  name: string | undefined,
  installation: Installation,
  console: ApxsConsole,
): NamedModule {
  const source = builtFile(file)
  const asked = name === undefined ? null : `${name}_module`
  const { stamp, refusal } = inspectModule(asked, source, resolve(source), undefined)
  if (refusal !== null) throw new CommandFailure(refusal.message, refusal.hint)
  if (stamp === undefined) throw new CommandFailure(`${source} has no stamp`)
  const fileName = installedName(source)
  const target = join(installation.modules, fileName)
  console.err(`installing ${target}`)
  try {
    placeFile(readFileSync(source), target)
    chmodSync(target, 0o644)
    installSignatures(source, target)
  } catch (error) {
    const hint = `run apxs as the owner of ${installation.modules}, or install elsewhere with -S LIBEXECDIR=FOLDER`
    throw new CommandFailure(`cannot write ${target}: ${reasonOf(error)}`, hint)
  }
  const declared = stamp.capabilities?.join(', ') ?? ''
  if (declared !== '') console.err(`${fileName} declares that it uses: ${declared}`)
  console.err(`${fileName}: ${stamp.module}, built against API ${stamp.api}; this server provides ${API_VERSION} and loads it`)
  return { name: stamp.module.replace(/_module$/, ''), fileName }
}

/** Those beside the source, if any; those of a former version would only be wrong. */
function installSignatures(source: string, target: string): void {
  const [from, to] = [source, target].map((file) => `${file}${SIGNATURE_ENDING}`)
  if (existsSync(from)) {
    placeFile(readFileSync(from), to)
    chmodSync(to, 0o644)
  } else rmSync(to, { force: true })
}

/** Build scripts name the output of libtool, `mod_x.la`, which here means the `.mjs` next to it. */
function builtFile(file: string): string {
  const beside = join(dirname(file), installedName(file))
  return /\.(?:la|so|sl|dll|dylib)$/.test(file) && existsSync(beside) ? beside : file
}
