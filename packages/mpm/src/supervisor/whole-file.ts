import { closeSync, constants, fstatSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'

/**
 * Writes a file atomically: readers see all of it or nothing. In a folder to which others can write, it never
 * follows a link that they have placed there.
 * @throws the system's error
 */
export function writeWhole(path: string, text: string, mode: number): void {
  const fresh = `${path}.${process.pid}`
  rmSync(fresh, { force: true })
  try {
    writeFileSync(fresh, text, { mode, flag: 'wx' })
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/**
 * Overwrites a file without allocating space; a longer file is padded with blanks.
 * @returns whether everything could be written
 */
export function writeOver(path: string, text: string): boolean {
  try {
    const fd = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW)
    try {
      const bytes = Buffer.from(
        text
          .trimEnd()
          .padEnd(fstatSync(fd).size - 1)
          .concat('\n'),
      )
      return writeSync(fd, bytes, 0, bytes.length, 0) === bytes.length
    } finally {
      closeSync(fd)
    }
  } catch {
    return false
  }
}
