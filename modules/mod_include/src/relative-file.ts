import { posix } from 'node:path'
import type { OsError } from '@gatewright/api'

/** APR's error for a file that is not in the folder of the page or below. */
export const ABOVE_ROOT: OsError = { code: 20023, text: 'The given path was above the root path' }

/** The path relative to the folder of the page; null if it is absolute or leads out of that folder. */
export function relativeFile(path: string): string | null {
  if (path.startsWith('/') || path.includes('\0')) return null
  const normal = posix.normalize(path)
  return normal === '..' || normal.startsWith('../') ? null : normal
}
