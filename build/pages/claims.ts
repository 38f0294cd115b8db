import { lineAt, type Page } from './pages.ts'

/** A number in a page, and the actual number in the project. */
export interface Claim {
  /** The page's path. */
  readonly page: string
  /** Finds the statement; its first group is the number. */
  readonly statement: RegExp
  /** The actual number. The page must contain this number or, for a limit, at least this number. */
  readonly actual: number
  /** `limit` for "at most", `count` for an exact number. */
  readonly kind: 'limit' | 'count'
}

/**
 * False statements, as `PAGE:LINE: REASON`. A statement that is missing in the page is reported as well, so
 * that no check is lost unnoticed.
 */
export function falseClaims(pages: readonly Page[], claims: readonly Claim[]): string[] {
  return claims.flatMap(({ page, statement, actual, kind }) => {
    const text = pages.find(({ path }) => path === page)?.text ?? ''
    const found = statement.exec(text)
    if (found === null) return [`${page}: no statement matches ${statement}: change the page or the check`]
    const stated = Number(found[1]?.replaceAll(',', ''))
    const holds = kind === 'limit' ? actual <= stated : actual === stated
    return holds ? [] : [`${page}:${lineAt(text, found.index)}: says ${stated}, but it is ${actual}`]
  })
}

/** A file of source code and its number of lines. */
export interface SourceFile {
  readonly path: string
  readonly lines: number
}

/**
 * Source files above the limit in a style page ("at most N lines"), unless the page lists them as exceptions:
 * `` `PATH` (N lines) ``. An exception for a file within the limit, or for a file longer than its own number,
 * is reported as well.
 */
export function tooLongFiles(style: string, files: readonly SourceFile[]): string[] {
  const limit = Number(/\bat\s+most\s+(\d+)\s+lines/.exec(style)?.[1] ?? Number.NaN)
  if (Number.isNaN(limit)) return ['the style page states no limit for files']
  const exceptions = new Map(
    [...style.matchAll(/`([^`]+)`\s+\((\d+)\s+lines\)/g)].map(([, path = '', lines]) => [path, Number(lines)]),
  )
  const long = files.filter(({ lines }) => lines > limit)
  return [
    ...long
      .filter(({ path, lines }) => lines > (exceptions.get(path) ?? limit))
      .map(({ path, lines }) => `${path} has ${lines} lines; the style page allows ${exceptions.get(path) ?? limit}`),
    ...[...exceptions.keys()]
      .filter((path) => !long.some((file) => file.path === path))
      .map((path) => `${path} keeps the limit now: remove it from the exceptions of the style page`),
  ]
}
