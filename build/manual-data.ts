import { manualEntries } from './manual-entries.ts'

/** What the manual pages say about directives, for the language server: JSON. */
export function manualData(): Uint8Array {
  return Buffer.from(JSON.stringify(manualEntries()))
}
