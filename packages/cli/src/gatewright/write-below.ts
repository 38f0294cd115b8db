import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * Writes a file under its absolute path below a folder that no other process reads yet.
 * @param text one character per byte
 */
export function writeBelow(folder: string, path: string, text: string): void {
  const place = placeBelow(folder, path)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, text, 'latin1')
}

/** The path of a file with an absolute path, below a folder. */
export function placeBelow(folder: string, path: string): string {
  return join(resolve(folder), resolve(path))
}
