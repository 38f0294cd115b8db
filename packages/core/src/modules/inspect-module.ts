import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { type ModuleStamp, parseStamp } from '@gatewright/api/stamp'
import { decideModule } from './gate.ts'
import { readNamedModule } from './named-module.ts'

/** The properties of a module's file that LoadModule would check; its code is never executed. */
export interface InspectedModule {
  /** The file itself, which differs from a path that ends in `.so`. */
  readonly file: string
  /** Undefined if the first line is not a stamp. */
  readonly stamp: ModuleStamp | undefined
  /** SHA-256 of the bytes after the first line, in hexadecimal; undefined if the file cannot be read. */
  readonly digest: string | undefined
  /** Null if the gate accepts the file; its code may still fail. */
  readonly refusal: { readonly message: string; readonly hint: string } | null
}

/**
 * Inspects a module's file as LoadModule does.
 * @param name the required identifier; null for the one in the stamp
 * @param written the path for messages
 * @param resolved the same path, absolute
 * @param modulesFolder the folder of the installation's own modules, undefined if there is none
 */
export function inspectModule(
  name: string | null,
  written: string,
  resolved: string,
  modulesFolder: string | undefined,
): InspectedModule {
  const named = readNamedModule(written, resolved, modulesFolder)
  if ('refusal' in named) return { file: named.file, stamp: undefined, digest: undefined, refusal: named.refusal }
  const { file, bytes } = named
  const lineEnd = bytes.indexOf(10)
  const stamp = lineEnd < 0 ? undefined : parseStamp(bytes.toString('latin1', 0, lineEnd))
  const verdict = decideModule(name ?? stamp?.module ?? nameOf(file), written, file, bytes)
  const digest = createHash('sha256')
    .update(bytes.subarray(lineEnd + 1))
    .digest('hex')
  return { file, stamp, digest, refusal: verdict.admitted ? null : verdict }
}

/** The identifier of a module according to its file name. */
function nameOf(file: string): string {
  return `${basename(file).replace(/^mod_|\.\w+$/g, '')}_module`
}
