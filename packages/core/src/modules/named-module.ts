import { missingModule } from './missing-module.ts'
import { readModuleBytes } from './module-bytes.ts'
import { findModuleFile } from './module-file.ts'

/** The file of a LoadModule path, with its bytes or the reason why it cannot be read. */
export type NamedModule =
  | { readonly file: string; readonly bytes: Buffer }
  | { readonly file: string; readonly refusal: { readonly message: string; readonly hint: string } }
  /** This server does not provide the module. */
  | { readonly file: string; readonly refusal: { readonly message: string; readonly hint: string }; readonly absent: string }

/**
 * @param written the path for messages
 * @param resolved the same path, absolute
 * @param modulesFolder the folder of the installation's own modules, undefined if there is none
 */
export function readNamedModule(written: string, resolved: string, modulesFolder: string | undefined): NamedModule {
  const refusalOf = (reason: string, hint: string) => ({ message: `Cannot load ${written} into server: ${reason}`, hint })
  const found = findModuleFile(resolved, modulesFolder)
  if (found.kind === 'none') {
    const { reason, hint, sentence } = missingModule({ written, resolved, ...found })
    const refusal = refusalOf(reason, hint)
    return sentence === null ? { file: resolved, refusal } : { file: resolved, refusal, absent: sentence }
  }
  const { file } = found
  const content = readModuleBytes(file)
  return 'reason' in content
    ? { file, refusal: refusalOf(`${resolved}: ${content.reason}`, content.hint) }
    : { file, bytes: content.bytes }
}
