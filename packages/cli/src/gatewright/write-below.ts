import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Writes a file under its absolute path below a folder, where nobody reads it yet. @param text one character for each byte */
export function writeBelow(folder: string, path: string, text: string): void {
  const place = placeBelow(folder, path)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, text, 'latin1')
}

/** Where a file of an absolute path lies below a folder. */
export function placeBelow(folder: string, path: string): string {
  return join(resolve(folder), resolve(path))
}
