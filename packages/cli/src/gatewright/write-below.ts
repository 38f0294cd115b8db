import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Writes a file under its absolute path below a folder, where nobody reads it yet. @param text one character for each byte */
export function writeBelow(folder: string, path: string, text: string): void {
  const place = join(resolve(folder), resolve(path))
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, text, 'latin1')
}
