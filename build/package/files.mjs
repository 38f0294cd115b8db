import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The paths of all files and links below a folder, relative to it, in order. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

/** Writes a file and the folders above it, which all may read. */
export function place(file, content, mode = 0o644) {
  makeFolder(dirname(file))
  writeFileSync(file, content)
  chmodSync(file, mode)
}

export function makeFolder(path) {
  mkdirSync(path, { recursive: true, mode: 0o755 })
}
