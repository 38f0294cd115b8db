import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { type ModuleStamp, parseStamp } from '@gatewright/api/stamp'
import { decideModule } from './gate.ts'
import { readNamedModule } from './named-module.ts'

/** What LoadModule would find in a file; nothing of it is executed. */
export interface InspectedModule {
  /** The file itself, which is another one where the path ends in `.so`. */
  readonly file: string
  /** Undefined when the first line is none. */
  readonly stamp: ModuleStamp | undefined
  /** SHA-256 of what is behind the first line, in hexadecimal; undefined when the file cannot be read. */
  readonly digest: string | undefined
  /** Null when the gate lets the file pass: its code may still fail. */
  readonly refusal: { readonly message: string; readonly hint: string } | null
}

/**
 * Looks at a module's file as LoadModule does.
 * @param name the identifier to ask for; null for the one in the stamp
 * @param written the path as it is named in messages
 * @param resolved the same, absolute
 * @param modulesFolder where the installation's own modules lie, undefined for nowhere
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

/** The identifier that a module of this file name would have. */
function nameOf(file: string): string {
  return `${basename(file).replace(/^mod_|\.\w+$/g, '')}_module`
}
