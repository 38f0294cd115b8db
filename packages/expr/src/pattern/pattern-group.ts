import type { PatternOptions, PatternReader } from './pattern-reader.ts'

/**
 * The kinds of groups that an opening parenthesis begins. `settings` is `(?i)`: not a group, but a change of
 * options until the surrounding group ends.
 */
export type GroupOpening =
  | { readonly kind: 'plain' | 'atomic'; readonly options: PatternOptions }
  | { readonly kind: 'capture'; readonly number: number }
  | { readonly kind: 'look'; readonly direction: 'ahead' | 'behind'; readonly sense: 'positive' | 'negative' }
  | { readonly kind: 'settings'; readonly options: PatternOptions }
  | { readonly kind: 'reference'; readonly to: string }
  | { readonly kind: 'comment' }

/** PCRE's limit for the length of a group's name. */
const LONGEST_NAME = 32

/** Reads the text after an opening parenthesis; the reader is positioned after it. */
export function readGroupOpening(reader: PatternReader, options: PatternOptions): GroupOpening {
  const start = reader.position - 1
  if (reader.peek() === '*') {
    const word = reader.take(/\*[A-Za-z_]*/y)
    reader.unsupported(`verb (${word?.[0]}...)`, start)
  }
  if (!reader.skip('?')) {
    return options.noAutoCapture ? { kind: 'plain', options } : { kind: 'capture', number: reader.groups.push(undefined) - 1 }
  }
  switch (reader.peek()) {
    case '#':
      return readComment(reader, start)
    case '|':
      return reader.unsupported('branch reset (?|...)', start)
    case '(':
      return reader.unsupported('conditional (?(...)...)', start)
    case 'C':
      return reader.unsupported('callout (?C)', start)
    case '*':
      return reader.unsupported('non-atomic lookaround', start)
    case 'R':
    case '&':
      return reader.unsupported('recursion (?R)', start)
    case '<':
    case "'":
    case 'P':
      return readAngle(reader, start)
  }
  if (reader.skip('>')) return { kind: 'atomic', options }
  if (reader.skip('=')) return { kind: 'look', direction: 'ahead', sense: 'positive' }
  if (reader.skip('!')) return { kind: 'look', direction: 'ahead', sense: 'negative' }
  if (/^[+-]?[0-9]/.test(reader.source.slice(reader.position, reader.position + 2))) reader.unsupported('recursion (?1)', start)
  return readSettings(reader, options, start)
}

function readComment(reader: PatternReader, start: number): GroupOpening {
  const end = reader.source.indexOf(')', reader.position)
  if (end < 0) reader.fail('missing ) after (?# comment', start)
  reader.position = end + 1
  return { kind: 'comment' }
}

/** `(?<=`, `(?<!`, `(?<name>`, `(?'name'` and the `(?P` forms. */
function readAngle(reader: PatternReader, start: number): GroupOpening {
  if (reader.skip('<=')) return { kind: 'look', direction: 'behind', sense: 'positive' }
  if (reader.skip('<!')) return { kind: 'look', direction: 'behind', sense: 'negative' }
  if (reader.skip('<*')) reader.unsupported('non-atomic lookaround', start)
  if (reader.skip('P=')) {
    const name = reader.take(/([A-Za-z_]\w*)\)/y)
    if (name === null) reader.fail('group name expected', start)
    return { kind: 'reference', to: name[1] }
  }
  if (reader.skip('P>')) reader.unsupported('recursion (?P>name)', start)
  const name = reader.take(/P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)'/y)
  if (name === null) reader.fail('group name expected', start)
  const text = name[1] ?? name[2]
  if (text.length > LONGEST_NAME) reader.fail(`group name is longer than ${LONGEST_NAME} characters`, start)
  return { kind: 'capture', number: reader.groups.push(text) - 1 }
}

/**
 * `(?i)`, `(?i-x)`, `(?^)` and the same with a colon. `J` (duplicate names) is accepted: httpd always allows
 * duplicates.
 */
function readSettings(reader: PatternReader, options: PatternOptions, start: number): GroupOpening {
  const match = reader.take(/(\^?)([imsxnUJ]*)(-[imsxnUJ]*)?([:)])/y)
  if (match === null || (match[1] !== '' && match[3] !== undefined)) reader.fail('unknown group or option after (?', start)
  const changed = { ...options }
  if (match[1] !== '') apply(changed, 'imsxn', 'off')
  apply(changed, match[2], 'on')
  apply(changed, match[3] ?? '', 'off')
  return { kind: match[4] === ':' ? 'plain' : 'settings', options: changed }
}

function apply(options: PatternOptions, letters: string, state: 'on' | 'off'): void {
  const on = state === 'on'
  if (letters.includes('i')) options.ignoreCase = on
  if (letters.includes('m')) options.multiline = on
  if (letters.includes('s')) options.dotAll = on
  if (letters.includes('n')) options.noAutoCapture = on
  if (letters.includes('U')) options.ungreedy = on
  if (letters.includes('x')) options.extended = on ? (letters.includes('xx') ? 2 : 1) : 0
}
