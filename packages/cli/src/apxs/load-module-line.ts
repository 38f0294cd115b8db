import type { ConfigDocument, DocumentItem } from '@gatewright/config'

/** Whether a LoadModule line is active or commented out. */
export type LineState = 'active' | 'commented'

/** The content of a LoadModule line: both words as written, with quotes. */
export interface LoadModuleLine {
  readonly identifier: string
  readonly path: string
}

/** The position of an item in a document: its index in the file, then in its section, and so on. */
type Place = readonly number[]

interface FoundLine {
  readonly place: Place
  readonly item: DocumentItem
  readonly identifier: string
  readonly active: boolean
}

/**
 * A configuration with a line for a module: replacing the line for the same identifier, even a commented one,
 * or after the last LoadModule line. If that line is in sections, the new one follows the outermost: loading
 * a module must not depend on another module's condition.
 * @returns undefined if there is no LoadModule line, not even a commented one
 */
export function withLoadModule(document: ConfigDocument, line: LoadModuleLine, state: LineState): ConfigDocument | undefined {
  const lines = [...loadModuleLines(document.items, [])]
  const last = lines.at(-1)
  if (last === undefined) return undefined
  const same = lines.filter(({ identifier }) => identifier === line.identifier)
  const old = same.find(({ active }) => active) ?? same[0]
  if (old !== undefined) return { items: replaced(document.items, old.place, [printed(line, state, old.item.raw)]) }
  const outermost = document.items[last.place[0]]
  return { items: replaced(document.items, last.place.slice(0, 1), [outermost, printed(line, state, lineEndOf(last.item))]) }
}

function* loadModuleLines(items: readonly DocumentItem[], above: Place): Generator<FoundLine> {
  for (const [index, item] of items.entries()) {
    const place = [...above, index]
    if (item.kind === 'section') yield* loadModuleLines(item.items, place)
    if (item.kind === 'directive' && item.name.toLowerCase() === 'loadmodule') {
      yield { place, item, identifier: item.words[0] ?? '', active: true }
    }
    const identifier = item.kind === 'comment' ? /^\s*LoadModule\s+(\S+)/i.exec(item.text)?.[1] : undefined
    if (identifier !== undefined) yield { place, item, identifier, active: false }
  }
}

/** @param like a line whose indentation and line end are kept */
function printed({ identifier, path }: LoadModuleLine, state: LineState, like = ''): DocumentItem {
  const indent = /^[ \t]*/.exec(like)?.[0] ?? ''
  const end = like.endsWith('\r\n') ? '\r\n' : '\n'
  const text = `${identifier.padEnd(18)} ${path}`
  const raw = `${indent}${state === 'active' ? '' : '#'}LoadModule ${text}${end}`
  return state === 'active'
    ? { kind: 'directive', name: 'LoadModule', text, words: [identifier, path], raw }
    : { kind: 'comment', text: `LoadModule ${text}`, raw }
}

function lineEndOf(item: DocumentItem): string {
  return item.raw?.endsWith('\r\n') === true ? '\r\n' : '\n'
}

function replaced(
  items: readonly DocumentItem[],
  [index, ...below]: Place,
  by: readonly DocumentItem[],
): readonly DocumentItem[] {
  const old = items[index]
  const now = below.length > 0 && old.kind === 'section' ? [{ ...old, items: replaced(old.items, below, by) }] : by
  return items.toSpliced(index, 1, ...now)
}
