import { statSync } from 'node:fs'

/**
 * The build time of the program, as printed by `-v` and AH00490: the modification time of its file in UTC,
 * without a zone.
 */
export function buildDate(file: string): string {
  return (statSync(file, { throwIfNoEntry: false })?.mtime ?? new Date(0)).toISOString().slice(0, 19)
}
