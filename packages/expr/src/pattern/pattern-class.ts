import { posixClass } from './byte-classes.ts'
import { addAll, type ByteSet, complement, emptySet, foldCase, rangeSet } from './byte-set.ts'
import { readEscape } from './pattern-escape.ts'
import type { PatternOptions, PatternReader } from './pattern-reader.ts'

/** `[:name:]`, `[.x.]` or `[=x=]`: items that PCRE treats as POSIX syntax inside a class. */
const POSIX_ITEM = /\[([:.=])(\^?)((?:\\[\]\\]|(?!\1\])(?!\[\1)[^\]])*)\1\]/y

type ClassItem = { readonly kind: 'byte'; readonly byte: number } | { readonly kind: 'set'; readonly set: ByteSet }

/** Reads a character class; the reader is positioned after the `[`. */
export function readClass(reader: PatternReader, options: PatternOptions): ByteSet {
  const negated = reader.skip('^')
  const set = emptySet()
  let item = readItem(reader, options, 'first')
  while (item !== undefined) {
    addItem(reader, options, set, item)
    item = readItem(reader, options, 'later')
  }
  return negated ? complement(set) : set
}

/** True if `[:name:]` is outside a class, which PCRE rejects. The reader is positioned at the `[`. */
export function isStrayPosixClass(reader: PatternReader): boolean {
  POSIX_ITEM.lastIndex = reader.position
  return POSIX_ITEM.test(reader.source)
}

/** Adds an item and, if a hyphen follows, the range that it begins. */
function addItem(reader: PatternReader, options: PatternOptions, set: ByteSet, item: ClassItem): void {
  const start = reader.position
  const ranged = skipRangeHyphen(reader, options)
  if (item.kind === 'set') {
    if (ranged) reader.fail('a class cannot begin a range', start)
    addAll(set, item.set)
    return
  }
  let last = item.byte
  if (ranged) {
    const end = readItem(reader, options, 'first')
    if (end === undefined || end.kind === 'set') reader.fail('a class cannot end a range', start)
    if (end.byte < item.byte) reader.fail('range out of order in a class', start)
    last = end.byte
  }
  const range = rangeSet(item.byte, last)
  addAll(set, options.ignoreCase ? foldCase(range) : range)
}

/** Skips the hyphen of a range. A hyphen before the closing bracket is literal. */
function skipRangeHyphen(reader: PatternReader, options: PatternOptions): boolean {
  skipIgnored(reader, options)
  if (reader.quoted || reader.peek() !== '-') return false
  const hyphen = reader.position++
  skipIgnored(reader, options)
  if (reader.quoted || reader.peek() !== ']') return true
  reader.position = hyphen
  return false
}

/** The next item; undefined at the closing bracket, which is literal if it comes first. */
function readItem(reader: PatternReader, options: PatternOptions, place: 'first' | 'later'): ClassItem | undefined {
  skipIgnored(reader, options)
  if (reader.ended) reader.fail('missing ] at the end of a class')
  if (!reader.quoted) {
    if (place === 'later' && reader.skip(']')) return undefined
    const posix = readPosix(reader, options)
    if (posix !== undefined) return posix
    if (reader.skip('\\')) return readClassEscape(reader)
  }
  return { kind: 'byte', byte: reader.next().charCodeAt(0) }
}

function readClassEscape(reader: PatternReader): ClassItem {
  const escaped = readEscape(reader, 'class')
  if (escaped.kind === 'byte' || escaped.kind === 'set') return escaped
  if (escaped.kind === 'letter' && escaped.letter === 'b') return { kind: 'byte', byte: 0x08 }
  reader.fail('this escape is not allowed in a class')
}

function readPosix(reader: PatternReader, options: PatternOptions): ClassItem | undefined {
  const start = reader.position
  const match = reader.take(POSIX_ITEM)
  if (match === null) return undefined
  if (match[1] !== ':') reader.fail('POSIX collating elements are not supported', start)
  const set = posixClass(match[3], options.ignoreCase ? 'either' : 'exact')
  if (set === undefined) reader.fail(`unknown POSIX class [:${match[3]}:]`, start)
  return { kind: 'set', set: match[2] === '^' ? complement(set) : set }
}

/** `(?xx)` ignores blanks and tabs inside classes. */
function skipIgnored(reader: PatternReader, options: PatternOptions): void {
  reader.settle()
  while (options.extended === 2 && !reader.quoted && (reader.peek() === ' ' || reader.peek() === '\t')) {
    reader.position++
    reader.settle()
  }
}
