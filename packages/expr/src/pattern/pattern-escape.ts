import { escapeClass, propertyClass } from './byte-classes.ts'
import { type ByteSet, complement } from './byte-set.ts'
import type { PatternReader } from './pattern-reader.ts'

/** The meaning of a backslash and the following characters, inside or outside a class. */
export type PatternEscape =
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'reference'; readonly to: number | string }
  /** A letter whose meaning depends on its position: `A b B E G K Q R X z Z`. */
  | { readonly kind: 'letter'; readonly letter: string }

const CONTROLS: Readonly<Record<string, number>> = { a: 0x07, e: 0x1b, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09 }

/**
 * Reads an escape; the reader is positioned after the backslash. Follows the rules of PCRE2 10.42 without
 * UTF.
 */
export function readEscape(reader: PatternReader, place: 'pattern' | 'class'): PatternEscape {
  if (reader.ended) reader.fail('\\ at end of pattern')
  const start = reader.position - 1
  const letter = reader.next()
  if (letter >= '0' && letter <= '9') return readDigits(reader, letter, start, place)
  if (!/[A-Za-z]/.test(letter)) return { kind: 'byte', byte: letter.charCodeAt(0) }
  if (Object.hasOwn(CONTROLS, letter)) return { kind: 'byte', byte: CONTROLS[letter] }
  switch (letter) {
    case 'c':
      return { kind: 'byte', byte: readControl(reader) }
    case 'o':
    case 'x':
      return { kind: 'byte', byte: readCodePoint(reader, letter) }
    case 'p':
    case 'P':
      return { kind: 'set', set: readProperty(reader, letter, start) }
    case 'C':
      if (place === 'class') break
      return { kind: 'set', set: new Uint8Array(256).fill(1) }
    case 'g':
      if (place === 'class') return { kind: 'byte', byte: 0x67 }
      return { kind: 'reference', to: readGroupReference(reader, start) }
    case 'k':
      if (place === 'class') break
      return { kind: 'reference', to: readNameReference(reader) }
    case 'N':
      if (place === 'class') reader.fail('\\N is not allowed in a class', start)
      if (reader.peek() === '{' && !/^\{\d+(?:,\d*)?\}/.test(reader.source.slice(reader.position))) {
        reader.fail('\\N{name} is not allowed', start)
      }
      break
  }
  if ('AbBEGKQRXzZ'.includes(letter)) return { kind: 'letter', letter }
  const set = escapeClass(letter)
  if (set === undefined) reader.fail(`unknown escape \\${letter}`, start)
  return { kind: 'set', set }
}

/**
 * `\1`: outside classes, a back reference if the number is below 10, begins with 8 or 9, or does not exceed
 * the number of groups opened so far; otherwise an octal byte. `\0` is always octal.
 */
function readDigits(reader: PatternReader, first: string, start: number, place: 'pattern' | 'class'): PatternEscape {
  reader.position--
  if (first !== '0' && place === 'pattern') {
    const digits = reader.take(/[0-9]+/y)
    const number = Number(digits?.[0])
    if (number < 10 || first >= '8' || number <= reader.lastGroup) {
      if (number > 65535) reader.fail('back reference number is too big', start)
      return { kind: 'reference', to: number }
    }
    reader.position = start + 1
  }
  if (first >= '8') return { kind: 'byte', byte: reader.next().charCodeAt(0) }
  const octal = reader.take(/[0-7]{1,3}/y)
  const byte = Number.parseInt(octal?.[0] ?? '0', 8)
  if (byte > 0xff) reader.fail('octal value is greater than \\377', start)
  return { kind: 'byte', byte }
}

function readControl(reader: PatternReader): number {
  const byte = reader.next().toUpperCase().charCodeAt(0)
  if (!(byte >= 0x20 && byte < 0x7f)) reader.fail('\\c must be followed by a printable ASCII character')
  return byte ^ 0x40
}

function readCodePoint(reader: PatternReader, letter: 'o' | 'x'): number {
  const radix = letter === 'o' ? 8 : 16
  const start = reader.position - 2
  if (reader.skip('{')) {
    const digits = reader.take(radix === 8 ? /([0-7]+)\}/y : /([0-9a-fA-F]+)\}/y)
    if (digits === null) reader.fail(`\\${letter}{...} must hold ${radix === 8 ? 'octal' : 'hexadecimal'} digits only`, start)
    const byte = Number.parseInt(digits[1], radix)
    if (byte > 0xff) reader.fail(`value in \\${letter}{} is too large for a byte`, start)
    return byte
  }
  if (radix === 8) reader.fail('missing { after \\o', start)
  const digits = reader.take(/[0-9a-fA-F]{0,2}/y)?.[0] ?? ''
  return digits === '' ? 0 : Number.parseInt(digits, 16)
}

function readProperty(reader: PatternReader, letter: 'p' | 'P', start: number): ByteSet {
  const name = reader.take(/\{(\^?)([^}]*)\}|([A-Za-z])/y)
  if (name === null) reader.fail(`malformed \\${letter}`, start)
  const set = propertyClass(name[2] ?? name[3])
  if (set === undefined) {
    if (name[2] === '' || name[3] !== undefined) reader.fail(`unknown property after \\${letter}`, start)
    reader.unsupported(`property \\${letter}{${name[2]}}`, start)
  }
  return (letter === 'P') !== (name[1] === '^') ? complement(set) : set
}

/** `\g1 \g-1 \g+1 \g{1} \g{-1} \g{name}`; `\g<..>` and `\g'..'` call a group as a subroutine. */
function readGroupReference(reader: PatternReader, start: number): number | string {
  if (/[<']/.test(reader.peek())) reader.unsupported('recursion \\g<...>', start)
  const match = reader.take(/\{([+-]?)([0-9]+)\}|\{([A-Za-z_]\w*)\}|([+-]?)([0-9]+)/y)
  if (match === null) reader.fail('\\g is not followed by a group number or a braced name', start)
  if (match[3] !== undefined) return match[3]
  const number = Number(match[2] ?? match[5])
  const sign = match[1] ?? match[4]
  if (number > 65535) reader.fail('back reference number is too big', start)
  if (sign === '') return number
  if (number === 0) reader.fail('a relative reference must not be zero', start)
  const absolute = sign === '-' ? reader.lastGroup + 1 - number : reader.lastGroup + number
  if (absolute < 1) reader.fail('reference to a group that does not exist', start)
  return absolute
}

function readNameReference(reader: PatternReader): string {
  const match = reader.take(/\{([A-Za-z_]\w*)\}|<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)'/y)
  if (match === null) reader.fail('\\k is not followed by a braced, angle-bracketed or quoted name')
  return match[1] ?? match[2] ?? match[3]
}
