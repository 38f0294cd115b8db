import { missingModule } from './missing-module.ts'
import { readModuleBytes } from './module-bytes.ts'
import { findModuleFile } from './module-file.ts'

/** The file that a LoadModule path means, with its bytes or with why there are none. */
export type NamedModule =
  | { readonly file: string; readonly bytes: Buffer }
  | { readonly file: string; readonly refusal: { readonly message: string; readonly hint: string } }

/**
 * @param written the path as it is named in messages
 * @param resolved the same, absolute
 * @param modulesFolder where the installation's own modules lie, undefined for nowhere
 */
export function readNamedModule(written: string, resolved: string, modulesFolder: string | undefined): NamedModule {
  const refused = (file: string, reason: string, hint: string): NamedModule => ({
    file,
    refusal: { message: `Cannot load ${written} into server: ${reason}`, hint },
  })
  const found = findModuleFile(resolved, modulesFolder)
  if (found.kind === 'none') {
    const { reason, hint } = missingModule({ written, resolved, ...found })
    return refused(resolved, reason, hint)
  }
  const { file } = found
  const content = readModuleBytes(file)
  return 'reason' in content ? refused(file, `${resolved}: ${content.reason}`, content.hint) : { file, bytes: content.bytes }
}
