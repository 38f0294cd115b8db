import { basename } from 'node:path'
import { isModule } from '@gatewright/api'
import type { LoadResult } from '../../../packages/core/src/modules/loader.ts'
import { readNamedModule } from '../../../packages/core/src/modules/named-module.ts'
import { LINKED } from '../linked-modules.ts'

/** Loads a module that is linked to this script, in the place of the core's loader, which executes a file. */
export async function loadModuleFile(
  name: string,
  written: string,
  resolved: string,
  modulesFolder: string | undefined,
): Promise<LoadResult> {
  const named = readNamedModule(written, resolved, modulesFolder)
  if ('absent' in named) return { problem: named.refusal, absent: named.absent }
  if ('refusal' in named) return { problem: named.refusal }
  const { file, bytes } = named
  const module = LINKED.get(basename(file))
  // The files of linked modules are empty: others are of the person who wrote the case.
  if (module === undefined || bytes.length > 0) {
    const message = `Cannot load ${written} into server: ${file}: a page runs no code of other files`
    return { problem: { message, hint: 'the playground has the modules of Gatewright only' } }
  }
  if (!isModule(module) || module.name !== name) {
    const message = `Can't locate API module structure \`${name}' in file ${file}: ${file}: undefined symbol: ${name}`
    return { problem: { message, hint: `the file has another module than ${name}: check the two names of the line` } }
  }
  return { module, file }
}
