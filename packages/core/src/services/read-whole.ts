import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { fsPath } from '../base/file-info.ts'

/**
 * A pipe that replaced the file since it was looked up must not block the process until another process
 * writes to it.
 */
export const READ_WITHOUT_WAITING: number = constants.O_RDONLY | constants.O_NONBLOCK

/**
 * All bytes of a file of at most `limit` bytes; undefined if it is larger, whatever its size was before.
 * @throws the system's error
 */
export function readWhole(path: string, limit: number): Buffer | undefined {
  const descriptor = openSync(fsPath(path), READ_WITHOUT_WAITING)
  try {
    const { size } = fstatSync(descriptor)
    if (size > limit) return undefined
    const bytes = Buffer.allocUnsafe(size)
    let filled = 0
    while (filled < size) {
      const count = readSync(descriptor, bytes, filled, size - filled, filled)
      if (count === 0) break
      filled += count
    }
    return bytes.subarray(0, filled)
  } finally {
    closeSync(descriptor)
  }
}
