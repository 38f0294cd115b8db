import { renameSync, writeFileSync } from 'node:fs'

/**
 * Writes a file by renaming a complete one over it: a server that loads the file at the same time reads the
 * old or the new one.
 */
export function placeFile(content: Uint8Array, file: string): void {
  const unfinished = `${file}.${process.pid}.new`
  writeFileSync(unfinished, content)
  renameSync(unfinished, file)
}
