import { loadavg } from 'node:os'
import type { Request } from '@gatewright/api'
import type { LoadNumbers } from './server-load.ts'

/** A value with `%` items, parsed once. */
export type Format = readonly FormatItem[]

export type FormatItem =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
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
    // TLS is not supported, so its variables are always absent.
    if (letter === 's') literal += ABSENT
    else {
      const kind = KINDS.get(letter)
      if (kind === undefined) return { error: `Unrecognized header format %${letter}` }
      if (literal !== '') items.push({ kind: 'literal', text: literal })
      literal = ''
      items.push(kind === 'variable' ? { kind, name } : { kind })
    }
  }
  if (items.length === 0) return literal
  if (literal !== '') items.push({ kind: 'literal', text: literal })
  return items
}

/** The text of a format for a request. */
export function renderFormat(format: Format, request: Request, load: LoadNumbers): string {
  let text = ''
  for (const item of format) text += item.kind === 'literal' ? item.text : renderItem(item, request, load)
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
  ['t', 'received'],
  ['D', 'duration'],
  ['l', 'load'],
  ['i', 'idle'],
  ['b', 'busy'],
])

function renderItem(item: Exclude<FormatItem, { kind: 'literal' }>, request: Request, load: LoadNumbers): string {
  switch (item.kind) {
    case 'variable': {
      const value = request.env.get(item.name) ?? ABSENT
      // A value that a client set must not end the field.
      return value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]/g, ' ') : value
    }
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
