import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { SourceDiagnostic } from './diagnostic.ts'

/**
 * A diagnostic as compilers print it: position and text, then the source line with a marker below the
 * position.
 */
export function printDiagnostic({ file, line, column, code, message }: SourceDiagnostic, folder: string): string {
  const complaint = `error TS${code}: ${message}`
  if (file === '') return complaint
  const near = relative(folder, file)
  const place = `${near.startsWith('..') ? file : near}:${line}:${column}`
  const source = readFileSync(file, 'utf8').split(/\r?\n/)[line - 1] ?? ''
  // Tabs are kept, so that the marker lines up whatever their width.
  const indent = source.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')
  return `${place}: ${complaint}\n    ${source}\n    ${indent}^`
}
