import type { FileInfo } from '@gatewright/api'

/**
 * Within this time in milliseconds a file may change twice with the same time stamp, because file systems
 * have coarse clocks.
 */
const SETTLING_TIME = 2000

/** Whether both describe the same version of the same file. */
export function sameVersion(a: FileInfo, b: FileInfo): boolean {
  return a.inode === b.inode && a.device === b.device && a.size === b.size && a.mtimeMs === b.mtimeMs && a.mode === b.mode
}

/**
 * The two-second rule: whether a version of a file can no longer change without a new time stamp, so that its
 * content may be cached.
 * @param readAt when it was read, in milliseconds since 1970
 */
export function isSettled({ mtimeMs }: FileInfo, readAt: number): boolean {
  return readAt - mtimeMs > SETTLING_TIME
}
