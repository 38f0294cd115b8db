import { closeSync, constants, fstatSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'

/**
 * Writes a file that others see whole or not at all. In a folder that others may write to, nothing they have put in the way is followed.
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

/** Writes over a file without new room for it; what was longer ends with blanks. @returns whether all of it could be written */
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
