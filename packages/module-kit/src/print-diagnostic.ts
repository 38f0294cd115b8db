import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { SourceDiagnostic } from './diagnostic.ts'

/** A complaint as compilers print it: place and text, then the line of the source with a mark below the spot. */
export function printDiagnostic({ file, line, column, code, message }: SourceDiagnostic, folder: string): string {
  const complaint = `error TS${code}: ${message}`
  if (file === '') return complaint
  const near = relative(folder, file)
  const place = `${near.startsWith('..') ? file : near}:${line}:${column}`
  const source = readFileSync(file, 'utf8').split(/\r?\n/)[line - 1] ?? ''
  // Tabs stay, so that the mark stands below the spot however wide they are.
  const indent = source.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')
  return `${place}: ${complaint}\n    ${source}\n    ${indent}^`
}
