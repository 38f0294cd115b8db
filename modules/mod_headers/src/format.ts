import { loadavg } from 'node:os'
import type { Request } from '@gatewright/api'
import type { LoadNumbers } from './server-load.ts'

/** A value with `%` items, parsed once. */
export type Format = readonly FormatItem[]

export type FormatItem =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable' | 'tls'; readonly name: string }
  | { readonly kind: 'received' | 'duration' | 'load' | 'idle' | 'busy' }

/** The text of an item without a value. */
const ABSENT = '(null)'

/**
 * Parses a value with `%%`, `%t`, `%D`, `%l`, `%i`, `%b`, `%{NAME}e`, `%{NAME}s`, and `\n`, `\r`, `\t`, `\\`.
 * A name in braces before another letter is ignored; a single `%` at the end is literal. A value without
 * items is returned as a string.
 */
export function parseFormat(source: string): Format | string | { readonly error: string } {
  const items: FormatItem[] = []
  let literal = ''
  let at = 0
  while (at < source.length) {
    const character = source[at++]
    if (character === '\\') {
      const escaped = ESCAPES.get(source[at] ?? '')
      if (escaped !== undefined) at++
      literal += escaped ?? '\\'
      continue
    }
    if (character !== '%' || at === source.length) {
      literal += character
      continue
    }
    if (source[at] === '%') {
      literal += '%'
      at++
      continue
    }
    let name = ''
    if (source[at] === '{') {
      const end = source.indexOf('}', at)
      name = source.slice(at + 1, end < 0 ? undefined : end)
      at = end < 0 ? source.length : end + 1
    }
    const letter = source[at++] ?? ''
    const kind = KINDS.get(letter)
    if (kind === undefined) return { error: `Unrecognized header format %${letter}` }
    if (literal !== '') items.push({ kind: 'literal', text: literal })
    literal = ''
    items.push(kind === 'variable' || kind === 'tls' ? { kind, name } : { kind })
  }
  if (items.length === 0) return literal
  if (literal !== '') items.push({ kind: 'literal', text: literal })
  return items
}

/** What items need beside the request. */
export interface FormatSources {
  readonly load: LoadNumbers
  /** A variable of TLS; '' for none. */
  tlsValue(request: Request, name: string): string
}

/** The text of a format for a request. */
export function renderFormat(format: Format, request: Request, sources: FormatSources): string {
  let text = ''
  for (const item of format) text += item.kind === 'literal' ? item.text : renderItem(item, request, sources)
  return text
}

/** True if the format prints a value that only the server's status provides. */
export function readsServerLoad(format: Format): boolean {
  return format.some(({ kind }) => kind === 'idle' || kind === 'busy')
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

const KINDS: ReadonlyMap<string, Exclude<FormatItem['kind'], 'literal'>> = new Map([
  ['e', 'variable'],
  ['s', 'tls'],
  ['t', 'received'],
  ['D', 'duration'],
  ['l', 'load'],
  ['i', 'idle'],
  ['b', 'busy'],
])

function renderItem(item: Exclude<FormatItem, { kind: 'literal' }>, request: Request, { load, tlsValue }: FormatSources): string {
  switch (item.kind) {
    case 'variable':
      return inOneLine(request.env.get(item.name) ?? ABSENT)
    case 'tls':
      return inOneLine(tlsValue(request, item.name) || ABSENT)
    case 'received':
      return `t=${Math.floor(request.receivedAt * 1000)}`
    case 'duration':
      // Both times are readings of the system clock with millisecond resolution.
      return `D=${Math.max(0, Date.now() - Math.floor(request.receivedAt)) * 1000}`
    case 'load':
      return `l=${loadavg()
        .map((average) => average.toFixed(2))
        .join('/')}`
    case 'idle':
      return `i=${load.idle}`
    case 'busy':
      return `b=${load.busy}`
  }
}

/** What a client put into a variable must not end the field. */
function inOneLine(value: string): string {
  return value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]/g, ' ') : value
}
