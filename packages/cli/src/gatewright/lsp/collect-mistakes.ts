import { parseDocument } from '@gatewright/config'
import { type BoundConfiguration, ConfigError, type ConfigSource, TextSource } from '@gatewright/core'
import { innermostMistake } from '../innermost-mistake.ts'

/** The outcome of loading a configuration without the lines that are wrong. */
export interface Collected<T> {
  /** null if not even the rest loads. */
  readonly loaded: T | null
  readonly mistakes: readonly ConfigError[]
  /** The texts without the lines that are wrong, which keep their numbers. */
  readonly texts: ReadonlyMap<string, string>
}

/** After so many mistakes, or so many milliseconds, further ones do not help anybody. */
const MOST_MISTAKES = 40
const LONGEST_SEARCH = 3000

/**
 * Loads a configuration again and again, each time without the line that the server has refused, so that all mistakes
 * are found and not only the first one.
 * @param texts files that exist only in memory
 */
export async function collectMistakes<T extends BoundConfiguration>(
  texts: ReadonlyMap<string, string>,
  source: ConfigSource,
  load: (source: ConfigSource) => Promise<T>,
): Promise<Collected<T>> {
  const changed = new Map(texts)
  const mistakes: ConfigError[] = []
  const until = performance.now() + LONGEST_SEARCH
  for (;;) {
    try {
      return { loaded: await load(new TextSource(changed, source)), mistakes, texts: changed }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      const mistake = innermostMistake(error)
      const isNew = !mistakes.some(
        ({ file, line, message }) => file === mistake.file && line === mistake.line && message === mistake.message,
      )
      if (isNew) mistakes.push(mistake)
      const text = mistake.line > 0 ? (changed.get(mistake.file) ?? textOf(source, mistake.file)) : null
      const rest = text === null ? null : withoutLine(text, mistake.line)
      if (rest === null || rest === text || mistakes.length >= MOST_MISTAKES || performance.now() > until)
        return { loaded: null, mistakes, texts: changed }
      changed.set(mistake.file, rest)
    }
  }
}

function textOf(source: ConfigSource, path: string): string | null {
  try {
    return source.read(path)
  } catch {
    return null
  }
}

/** The text with empty lines for the directive, or the whole section, that ends or begins at a line. */
function withoutLine(text: string, line: number): string {
  const lines = text.split('\n')
  const blank = (first: number, last: number): void => {
    for (let at = first; at <= Math.min(last, lines.length); at++) lines[at - 1] = ''
  }
  let { items } = parseDocument(text)
  for (;;) {
    const found = items.find((item) => {
      const last = item.kind === 'section' ? (item.closing?.lastLine ?? item.lastLine ?? 0) : (item.lastLine ?? 0)
      return (item.line ?? 0) <= line && line <= last
    })
    if (found?.kind === 'section' && line > (found.lastLine ?? 0) && line < (found.closing?.line ?? Number.POSITIVE_INFINITY)) {
      items = found.items
      continue
    }
    if (found === undefined || found.kind === 'blank' || found.kind === 'comment') blank(line, line)
    else if (found.kind === 'section') blank(found.line ?? line, found.closing?.lastLine ?? found.lastLine ?? line)
    else blank(found.line ?? line, found.lastLine ?? line)
    return lines.join('\n')
  }
}
