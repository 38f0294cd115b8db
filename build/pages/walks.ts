import { lineAt, type Page } from './pages.ts'

/** A row of a table of files: a path, then the functions in it. */
const ROW = /^\| `((?:packages|modules)\/[^`]+\.ts)` +\| ((?:`#?\w+`(?:, )?)+) +\|/gm

/**
 * Faults of a page that lists the files of a walk through the code, as `PAGE:LINE: PATH: FAULT`: files and functions
 * that do not exist, and files that are listed twice.
 * @param textOf the text of a file of the project; undefined if it does not exist
 */
export function faultsOfWalk({ path, text }: Page, textOf: (path: string) => string | undefined): string[] {
  const seen = new Set<string>()
  return [...text.matchAll(ROW)].flatMap(({ 1: file = '', 2: names = '', index }) => {
    const source = textOf(file)
    const faults = [...names.matchAll(/#?\w+/g)].flatMap(([name]) => (isDeclared(name, source ?? '') ? [] : [`no ${name}`]))
    if (source === undefined) faults.splice(0, faults.length, 'no such file')
    if (seen.has(file)) faults.push('listed twice')
    seen.add(file)
    return faults.map((fault) => `${path}:${lineAt(text, index)}: ${file}: ${fault}`)
  })
}

/** The number of files that a page lists. */
export function filesOfWalk({ text }: Page): number {
  return [...text.matchAll(ROW)].length
}

/** A function, a class, a method, or a function in a property. */
function isDeclared(name: string, source: string): boolean {
  return new RegExp(`(?:function\\*?|class) ${name}\\b|^  (?:readonly |async )?${name}(?:<[^>]*>)?(?:\\(| = \\()`, 'm').test(
    source,
  )
}
