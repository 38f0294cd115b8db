import type { ConfigFiles } from '../migrate/config-files.ts'
import type { StandingLines } from './standing-lines.ts'

/** A line that this server does not load, with its own words for it. */
export interface RefusedLine {
  readonly file: string
  /** As the file stands. */
  readonly line: number
  /** A whole section begins with its first line. */
  readonly text: string
  readonly message: string
  readonly hint: string | null
}

/** The same for every place where such a line stands: a server is told of one of them at a time, and passes over all. */
export function everyPlace(refused: readonly RefusedLine[], files: ConfigFiles, lines: StandingLines): RefusedLine[] {
  const byText = new Map(refused.map((one) => [one.text, one]))
  const found: RefusedLine[] = []
  for (const { path: file, item, parents } of files.items()) {
    if (item.kind !== 'directive' && item.kind !== 'section') continue
    const one = byText.get((item.raw ?? '').trim())
    if (one !== undefined && lines.isRead(file, parents)) found.push({ ...one, file, line: item.line ?? one.line })
  }
  return found
}
