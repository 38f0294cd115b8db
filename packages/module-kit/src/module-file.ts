import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ModuleStamp, parseStamp } from '@gatewright/api/stamp'

/** A module's file as tools see it: its stamp, read without executing anything. */
export interface ModuleFile {
  readonly path: string
  /** Undefined when the first line is no stamp. */
  readonly stamp: ModuleStamp | undefined
  /** True when the bytes behind the stamp are those it was made for. */
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
