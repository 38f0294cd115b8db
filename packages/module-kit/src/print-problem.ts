import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { SourceProblem } from './check.ts'

/** A problem as compilers print it: place and text, then the line of the source with a mark below the spot. */
export function printProblem({ file, line, column, code, text }: SourceProblem, folder: string): string {
  const message = `error TS${code}: ${text}`
  if (file === '') return message
  const near = relative(folder, file)
  const place = `${near.startsWith('..') ? file : near}:${line}:${column}`
  const source = readFileSync(file, 'utf8').split(/\r?\n/)[line - 1] ?? ''
  // Tabs stay, so that the mark stands below the spot however wide they are.
  const indent = source.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')
  return `${place}: ${message}\n    ${source}\n    ${indent}^`
}
