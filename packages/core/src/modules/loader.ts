import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type AnyModule, isModule, type Problem } from '@gatewright/api'
import { withDeadline } from '../base/deadline.ts'
import { codeError, LoadDeadline } from './code-error.ts'
import { decideModule } from './gate.ts'
import { importBytes } from './import-bytes.ts'
import { checkSignature } from './module-signature.ts'
import { readNamedModule } from './named-module.ts'
import { isOwnModule } from './own-modules.ts'
import type { SigningKey } from './signing-key.ts'

/** Time limit for loading a module, in milliseconds. */
const LOAD_DEADLINE = 10_000

export type LoadResult =
  | { readonly module: AnyModule; readonly file: string }
  | { readonly problem: Problem }
  /** This server does not provide the module: `absent` states so in one sentence, with what serves its purpose. */
  | { readonly problem: Problem; readonly absent: string }

/** Which modules are loaded where ModuleSignedBy is in force. */
export interface RequiredSignature {
  /** One of these keys must have signed a module. */
  readonly keys: readonly SigningKey[]
  /** The list of the modules that came with the server, which need no signature; undefined: none. */
  readonly ownModules: string | undefined
}

/**
 * Loads a module's file: first the gate's check and that of its signature, then exactly the bytes that were checked.
 * @param written the path as written in the configuration
 * @param resolved the same path, absolute
 * @param modulesFolder the folder of the installation's own modules, undefined if there is none
 * @param signing what must have signed it; null if modules need no signature
 */
export async function loadModuleFile(
  name: string,
  written: string,
  resolved: string,
  modulesFolder: string | undefined,
  signing: RequiredSignature | null,
): Promise<LoadResult> {
  const named = readNamedModule(written, resolved, modulesFolder)
  if ('absent' in named) return { problem: named.refusal, absent: named.absent }
  if ('refusal' in named) return { problem: named.refusal }
  const { file, bytes } = named
  const verdict = decideModule(name, written, file, bytes)
  if (!verdict.admitted) return { problem: verdict }
  const needsNone = signing === null || isOwnModule(bytes, signing.ownModules)
  const unsigned = needsNone ? null : checkSignature(file, bytes, signing.keys)
  if (unsigned !== null)
    return { problem: { message: `Cannot load ${written} into server: ${file}: ${unsigned.reason}`, hint: unsigned.hint } }
  try {
    const url = pathToFileURL(realpathSync(file)).href
    const exported: unknown = await withDeadline(importBytes(url, bytes), LOAD_DEADLINE, { late: tooSlow })
    const module = typeof exported === 'object' && exported !== null && 'default' in exported ? exported.default : undefined
    if (!isModule(module) || module.name !== name) {
      const message = `Can't locate API module structure \`${name}' in file ${file}: ${file}: undefined symbol: ${name}`
      return { problem: { message, hint: wrongExportHint(name, module) } }
    }
    return { module, file }
  } catch (error) {
    const { reason, hint } = await codeError(error, file)
    return { problem: { message: `Cannot load ${written} into server: ${file}: ${reason}`, hint } }
  }
}

/** Advice about code that does not match its stamp. */
function wrongExportHint(name: string, exported: unknown): string {
  return isModule(exported)
    ? `the file's code is ${exported.name}, which differs from its stamp: build it again with apxs -c`
    : `the file must export default what defineModule({ name: '${name}', ... }) returns`
}

function tooSlow(ms: number): Error {
  return new LoadDeadline(`the module did not finish loading within ${ms / 1000} seconds`)
}
