import { type ByteSet, complement, rangeSet, setOf } from './byte-set.ts'

/** `\d \s \w \h \v` and their capitals, `\N`: as PCRE defines them without UTF and UCP. */
export function escapeClass(letter: string): ByteSet | undefined {
  const lower = letter.toLowerCase()
  const set = lower === 'n' ? undefined : lowerCaseClass(lower)
  if (set !== undefined) return letter === lower ? set : complement(set)
  return letter === 'N' ? setOf((byte) => byte !== 0x0a) : undefined
}

function lowerCaseClass(letter: string): ByteSet | undefined {
  switch (letter) {
    case 'd':
      return setOf(isDigit)
    case 's':
      return setOf(isSpace)
    case 'w':
      return setOf((byte) => isDigit(byte) || isAlpha(byte) || byte === 0x5f)
    case 'h':
      return setOf((byte) => byte === 0x09 || byte === 0x20 || byte === 0xa0)
    case 'v':
      return setOf((byte) => (byte >= 0x0a && byte <= 0x0d) || byte === 0x85)
  }
}

/**
 * The members of `[:name:]` in the C locale. If case is ignored, `upper` and `lower` mean `alpha`, even if
 * the class is then negated (`[:^upper:]`).
 */
export function posixClass(name: string, cases: 'exact' | 'either'): ByteSet | undefined {
  switch (name) {
    case 'lower':
    case 'upper':
      if (cases === 'either') return setOf(isAlpha)
      return name === 'lower' ? rangeSet(0x61, 0x7a) : rangeSet(0x41, 0x5a)
    case 'alpha':
      return setOf(isAlpha)
    case 'alnum':
      return setOf((byte) => isAlpha(byte) || isDigit(byte))
    case 'ascii':
      return rangeSet(0, 0x7f)
    case 'blank':
      return setOf((byte) => byte === 0x09 || byte === 0x20)
    case 'cntrl':
      return setOf((byte) => byte < 0x20 || byte === 0x7f)
    case 'digit':
      return setOf(isDigit)
    case 'graph':
      return rangeSet(0x21, 0x7e)
    case 'print':
      return rangeSet(0x20, 0x7e)
    case 'punct':
      return setOf((byte) => byte > 0x20 && byte < 0x7f && !isAlpha(byte) && !isDigit(byte))
    case 'space':
      return setOf(isSpace)
    case 'word':
      return escapeClass('w')
    case 'xdigit':
      return setOf((byte) => isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66))
  }
}

/** General categories that `\p` names, as JavaScript spells them. */
const CATEGORIES =
  'C Cc Cf Cn Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs'.split(' ')

/**
 * The members of `\p{name}`: general categories, `L&` (also `Lc`), `Any` and PCRE's own `Xan`, `Xsp`, `Xps`,
 * `Xwd`. Each byte is interpreted as a code point, as in PCRE without UTF; case, blanks, hyphens and
 * underscores in the name are ignored.
 */
export function propertyClass(name: string): ByteSet | undefined {
  const plain = name.replace(/[\s_-]/g, '').toLowerCase()
  switch (plain) {
    case 'any':
      return rangeSet(0, 255)
    case 'l&':
    case 'lc':
      return unicodeSet(/[\p{Lu}\p{Ll}\p{Lt}]/u)
    case 'xan':
      return unicodeSet(/[\p{L}\p{N}]/u)
    case 'xwd':
      return unicodeSet(/[\p{L}\p{N}_]/u)
    case 'xsp':
    case 'xps':
      return unicodeSet(/[\t-\r\x85\p{Z}]/u)
  }
  const category = CATEGORIES.find((candidate) => candidate.toLowerCase() === plain)
  return category === undefined ? undefined : unicodeSet(new RegExp(`\\p{${category}}`, 'u'))
}

function unicodeSet(pattern: RegExp): ByteSet {
  return setOf((byte) => pattern.test(String.fromCharCode(byte)))
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function isAlpha(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}
