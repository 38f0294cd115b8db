import type { FileInfo } from '@gatewright/api'

/**
 * Within so many milliseconds a file may change twice under the same time stamp: file systems count time in
 * ticks.
 */
const SETTLING_TIME = 2000

/** True when both describe the same version of the same file. */
export function sameVersion(a: FileInfo, b: FileInfo): boolean {
  return a.inode === b.inode && a.device === b.device && a.size === b.size && a.mtimeMs === b.mtimeMs && a.mode === b.mode
}

/**
 * The two-second rule: true when a version of a file cannot change any more without a trace in its time
 * stamp, so that what was read of it may be kept.
 * @param readAt when it was read, in milliseconds since 1970
 */
export function isSettled({ mtimeMs }: FileInfo, readAt: number): boolean {
  return readAt - mtimeMs > SETTLING_TIME
}
