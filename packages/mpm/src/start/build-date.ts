import { statSync } from 'node:fs'

/** When the program was built, as `-v` and AH00490 print it: the modification time of its file in UTC, without a zone. */
export function buildDate(file: string): string {
  return (statSync(file, { throwIfNoEntry: false })?.mtime ?? new Date(0)).toISOString().slice(0, 19)
}
