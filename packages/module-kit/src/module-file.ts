import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ModuleStamp, parseStamp } from '@gatewright/api/stamp'

/** A module's file as tools read it: its stamp, without executing anything. */
export interface ModuleFile {
  readonly path: string
  /** Undefined if the first line is not a stamp. */
  readonly stamp: ModuleStamp | undefined
  /** True if the bytes after the stamp match it. */
  readonly intact: boolean
}

/** @throws the error of reading the file */
export function readModuleFile(path: string): ModuleFile {
  const content = readFileSync(path)
  const end = content.indexOf('\n')
  const stamp = end < 0 ? undefined : parseStamp(content.toString('utf8', 0, end))
  const digest = createHash('sha256')
    .update(content.subarray(end + 1))
    .digest('hex')
  return { path, stamp, intact: stamp?.digest === digest }
}
