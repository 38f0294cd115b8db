import { foldCase, rangeSet, setOf } from './byte-set.ts'
import { isStrayPosixClass, readClass } from './pattern-class.ts'
import { readEscape } from './pattern-escape.ts'
import { readGroupOpening } from './pattern-group.ts'
import type { PatternNode } from './pattern-node.ts'
import type { PatternOptions, PatternReader } from './pattern-reader.ts'

/**
 * PCRE's own limit for nested parentheses; it also limits the recursion of all functions that traverse the
 * tree.
 */
const DEEPEST_NESTING = 250
/** PCRE's largest count in `{n,m}`. */
const LARGEST_COUNT = 65535

/** Assertions in JavaScript syntax without the flag `m`, so `^` and `$` match only at the very ends. */
const ASSERTIONS: Readonly<Record<string, string>> = {
  A: '^',
  // The match is attempted only at the beginning of the text.
  G: '^',
  z: '$',
  Z: '(?=\\n?$)',
  b: '\\b',
  B: '\\B',
}
/** A line begins after every newline except a final one. */
const LINE_START = '(?:^|(?<=\\n)(?=[^]))'
const LINE_END = '(?=\\n|$)'

interface Piece {
  readonly node: PatternNode
  readonly repeatable: boolean
}

/** Parses a whole pattern. Errors are thrown as PatternRefusal. */
export function parsePattern(reader: PatternReader, options: PatternOptions): PatternNode {
  const node = readAlternatives(reader, { ...options })
  if (!reader.ended) reader.fail('unmatched closing parenthesis')
  return node
}

/** Reads to the end of the group. An option that one branch sets also applies to later branches. */
function readAlternatives(reader: PatternReader, given: PatternOptions): PatternNode {
  let options = given
  const branches: PatternNode[] = []
  let items: PatternNode[] = []
  for (;;) {
    skipIgnored(reader, options)
    if (reader.ended || (!reader.quoted && reader.peek() === ')')) break
    const start = reader.position
    if (!reader.quoted) {
      if (reader.skip('|')) {
        branches.push(sequence(items))
        items = []
        continue
      }
      if (reader.skip('(')) {
        const opening = readGroupOpening(reader, options)
        if (opening.kind === 'comment') continue
        if (opening.kind === 'settings') {
          options = opening.options
          continue
        }
        items.push(readRepeat(reader, options, readGroup(reader, options, opening, start), start))
        continue
      }
    }
    items.push(readRepeat(reader, options, readAtom(reader, options), start))
  }
  branches.push(sequence(items))
  return branches.length === 1 ? branches[0] : { kind: 'alternatives', branches }
}

function readGroup(
  reader: PatternReader,
  options: PatternOptions,
  opening: Exclude<ReturnType<typeof readGroupOpening>, { kind: 'comment' | 'settings' }>,
  offset: number,
): Piece {
  if (opening.kind === 'reference') return { node: reference(opening.to, options, offset), repeatable: true }
  if (++reader.depth > DEEPEST_NESTING) reader.fail('parentheses are too deeply nested', offset)
  const inner = opening.kind === 'plain' || opening.kind === 'atomic' ? opening.options : options
  const body = readAlternatives(reader, inner)
  if (!reader.skip(')')) reader.fail('missing closing parenthesis', offset)
  reader.depth--
  switch (opening.kind) {
    case 'plain':
      return { node: body, repeatable: true }
    case 'atomic':
      return { node: { kind: 'atomic', body }, repeatable: true }
    case 'capture':
      return { node: { kind: 'capture', number: opening.number, body }, repeatable: true }
    case 'look':
      return { node: { kind: 'look', direction: opening.direction, sense: opening.sense, body, offset }, repeatable: true }
  }
}

function readAtom(reader: PatternReader, options: PatternOptions): Piece {
  const start = reader.position
  if (reader.quoted) return byte(reader.next().charCodeAt(0), options)
  switch (reader.peek()) {
    case '[':
      if (reader.skip('[[:<:]]')) return assertion('\\b(?=\\w)')
      if (reader.skip('[[:>:]]')) return assertion('\\b(?<=\\w)')
      if (isStrayPosixClass(reader)) reader.fail('POSIX classes are allowed only within a class')
      reader.position++
      return { node: { kind: 'set', set: readClass(reader, options) }, repeatable: true }
    case '\\':
      reader.position++
      return readEscapedAtom(reader, options, start)
    case '.':
      reader.position++
      return { node: { kind: 'set', set: options.dotAll ? rangeSet(0, 255) : setOf((item) => item !== 0x0a) }, repeatable: true }
    case '^':
      reader.position++
      return assertion(options.multiline ? LINE_START : '^')
    case '$':
      reader.position++
      if (options.multiline) return assertion(LINE_END)
      return assertion(options.dollarEndOnly ? '$' : ASSERTIONS['Z'])
    case '*':
    case '+':
    case '?':
      reader.fail('quantifier does not follow a repeatable item')
  }
  if (peekCounts(reader) !== undefined) reader.fail('quantifier does not follow a repeatable item')
  return byte(reader.next().charCodeAt(0), options)
}

function readEscapedAtom(reader: PatternReader, options: PatternOptions, start: number): Piece {
  const escaped = readEscape(reader, 'pattern')
  switch (escaped.kind) {
    case 'byte':
      return byte(escaped.byte, options)
    case 'set':
      return { node: escaped, repeatable: true }
    case 'reference':
      return { node: reference(escaped.to, options, start), repeatable: true }
    case 'letter':
      if (escaped.letter === 'R') return { node: newlineSequence(), repeatable: true }
      if (Object.hasOwn(ASSERTIONS, escaped.letter)) return assertion(ASSERTIONS[escaped.letter])
      return reader.unsupported(`\\${escaped.letter}`, start)
  }
}

/** `\R` never backtracks into a CR LF, hence the look-ahead after a lone CR. */
function newlineSequence(): PatternNode {
  const item = (member: (candidate: number) => boolean): PatternNode => ({ kind: 'set', set: setOf(member) })
  const carriageReturn = item((candidate) => candidate === 0x0d)
  return {
    kind: 'alternatives',
    branches: [
      sequence([carriageReturn, item((candidate) => candidate === 0x0a)]),
      item((candidate) => candidate === 0x85 || (candidate >= 0x0a && candidate <= 0x0c)),
      sequence([carriageReturn, { kind: 'assertion', source: '(?!\\n)' }]),
    ],
  }
}

/** Reads the quantifier after an item, if present. */
function readRepeat(reader: PatternReader, options: PatternOptions, piece: Piece, offset: number): PatternNode {
  skipIgnored(reader, options)
  if (reader.quoted) return piece.node
  const counts = takeCounts(reader)
  if (counts === undefined) return piece.node
  if (!piece.repeatable) reader.fail('quantifier does not follow a repeatable item')
  let [min, max] = counts
  skipIgnored(reader, options)
  const possessive = !reader.quoted && reader.skip('+')
  const marked = !reader.quoted && !possessive && reader.skip('?')
  const greed = possessive ? 'possessive' : marked !== options.ungreedy ? 'lazy' : 'greedy'
  skipIgnored(reader, options)
  if (!reader.quoted && (/[*+?]/.test(reader.peek()) || peekCounts(reader) !== undefined)) {
    reader.fail('quantifier does not follow a repeatable item')
  }
  if (piece.node.kind === 'look') {
    // Repeating an assertion at one position has no effect; PCRE limits its count to one.
    min = Math.min(min, 1)
    max = Math.min(max, 1)
  }
  return { kind: 'repeat', body: piece.node, min, max, greed, offset }
}

const COUNTS = /\{([0-9]+)(,?)([0-9]*)\}/y

function takeCounts(reader: PatternReader): readonly [number, number] | undefined {
  if (reader.skip('*')) return [0, Number.POSITIVE_INFINITY]
  if (reader.skip('+')) return [1, Number.POSITIVE_INFINITY]
  if (reader.skip('?')) return [0, 1]
  const match = peekCounts(reader)
  if (match === undefined) return undefined
  const min = Number(match[1])
  const max = match[2] === '' ? min : match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3])
  if (min > LARGEST_COUNT || (max > LARGEST_COUNT && max !== Number.POSITIVE_INFINITY))
    reader.fail('number too big in {} quantifier')
  if (max < min) reader.fail('numbers out of order in {} quantifier')
  reader.position += match[0].length
  return [min, max]
}

/** `{2}`, `{2,}` or `{2,3}` at the cursor; any other brace is literal, including `{,3}`. */
function peekCounts(reader: PatternReader): RegExpExecArray | undefined {
  COUNTS.lastIndex = reader.position
  const match = COUNTS.exec(reader.source)
  return match === null || (match[2] === '' && match[3] !== '') ? undefined : match
}

/** With `(?x)`, blanks and `#` comments are ignored, as are `(?#...)` comments before a quantifier. */
function skipIgnored(reader: PatternReader, options: PatternOptions): void {
  for (;;) {
    reader.settle()
    if (reader.quoted) return
    const before = reader.position
    if (options.extended !== 0) reader.take(/(?:[\t-\r ]|#[^\n]*(?:\n|$))+/y)
    if (reader.source.startsWith('(?#', reader.position)) {
      const start = reader.position++
      if (readGroupOpening(reader, options).kind !== 'comment') reader.position = start
    }
    if (reader.position === before) return
  }
}

function byte(value: number, options: PatternOptions): Piece {
  const set = rangeSet(value, value)
  return { node: { kind: 'set', set: options.ignoreCase ? foldCase(set) : set }, repeatable: true }
}

function assertion(source: string): Piece {
  return { node: { kind: 'assertion', source }, repeatable: false }
}

function reference(to: number | string, options: PatternOptions, offset: number): PatternNode {
  return { kind: 'backReference', to, cases: options.ignoreCase ? 'either' : 'exact', offset }
}

function sequence(items: readonly PatternNode[]): PatternNode {
  return items.length === 1 ? items[0] : { kind: 'sequence', items }
}
