import type { ConfigLine } from '@gatewright/api/status'

/** One line of a listing of the configuration. */
export type ShownLine =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'directive'; readonly line: number; readonly depth: number; readonly name: string; readonly text: string }
  | { readonly kind: 'open'; readonly line: number; readonly depth: number; readonly title: string }
  | { readonly kind: 'close'; readonly depth: number; readonly name: string }

/** Directives whose values are secret. */
const SECRET = /(?:password|passphrase|secret)$/i
const HIDDEN = '********'

/** The text after the name of a directive, unless it is secret. */
export function shownText({ name, text }: ConfigLine): string {
  return SECRET.test(name) ? HIDDEN : text
}

/**
 * The lines of a listing, with a line at the start of each file; for one module, only its lines and the
 * containers around them.
 */
export function* shownLines(config: readonly ConfigLine[], source: string | null): Generator<ShownLine> {
  const files = new FileNames()
  for (const line of config) yield* linesOf(line, source, 0, files)
}

/** Tracks the current file. */
class FileNames {
  #last = ''

  begins(file: string): boolean {
    if (file === this.#last) return false
    this.#last = file
    return true
  }
}

function* linesOf(line: ConfigLine, source: string | null, depth: number, files: FileNames): Generator<ShownLine> {
  if (!belongs(line, source)) return
  if (files.begins(line.file)) yield { kind: 'file', file: line.file }
  if (line.children === null) {
    yield { kind: 'directive', line: line.line, depth, name: line.name, text: shownText(line) }
    return
  }
  const name = line.name.slice(1)
  yield { kind: 'open', line: line.line, depth, title: `${line.name} ${line.text}` }
  for (const child of line.children) yield* linesOf(child, source, depth + 1, files)
  yield { kind: 'close', depth, name: `</${name}>` }
}

function belongs(line: ConfigLine, source: string | null): boolean {
  return source === null || line.source === source || line.children?.some((child) => belongs(child, source)) === true
}
