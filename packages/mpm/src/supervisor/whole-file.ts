import { renameSync, rmSync, writeFileSync } from 'node:fs'

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
