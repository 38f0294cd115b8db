import type { ConfigFiles } from '../site/config-files.ts'
import type { StandingLines } from './standing-lines.ts'

/** A line that this server does not load, with its error message. */
export interface RefusedLine {
  readonly file: string
  /** As written in the file. */
  readonly line: number
  /** A whole section begins with its first line. */
  readonly text: string
  readonly message: string
  readonly hint: string | null
}

/** The same for every occurrence of such a line: a server reports one at a time, and ignores all. */
export function everyPlace(
  refused: readonly RefusedLine[],
  files: ConfigFiles,
  lines: StandingLines,
  originalLine: (file: string, line: number) => number,
): RefusedLine[] {
  const left = new Map(refused.map((one) => [one.text, one]))
  const byText = new Map(left)
  const found: RefusedLine[] = []
  for (const { path: file, item, parents } of files.items()) {
    if (item.kind !== 'directive' && item.kind !== 'section') continue
    const text = (item.raw ?? '').trim()
    const one = byText.get(text)
    if (one === undefined) continue
    left.delete(text)
    if (lines.isRead(file, parents)) found.push({ ...one, file, line: item.line ?? one.line })
  }
  // A line that is in no file was written as the replacement of one that is.
  return [...found, ...[...left.values()].map((one) => ({ ...one, line: originalLine(one.file, one.line) }))]
}
