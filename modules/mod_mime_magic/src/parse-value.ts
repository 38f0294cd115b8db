import { type MagicEntry, type Relation, VALUE_SIZE } from './magic-entry.ts'
import { extended } from './value-window.ts'

/** A value, and what follows it in the line. */
export interface ParsedValue {
  readonly value: string | bigint
  readonly rest: string
}

export function parseValue(text: string, kind: Pick<MagicEntry, 'type' | 'isUnsigned'>, relation: Relation): ParsedValue {
  if (kind.type === 'string') return parseString(text)
  if (relation === 'x') return { value: 0n, rest: text }
  const digits = /^[+-]?(?:0x[0-9a-f]+|\d+)/i.exec(text)?.[0] ?? ''
  return { value: extended(kind, toInteger(digits)), rest: text.slice(digits.length) }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', b: '\b', t: '\t', f: '\f', v: '\v' }

const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-f]{1,2})|(.?))/giy

/** A string ends at white space; a backslash makes the next character ordinary or special, as in C. */
function parseString(text: string): ParsedValue {
  let value = ''
  let at = 0
  while (at < text.length && !/\s/.test(text[at]) && value.length < VALUE_SIZE - 1) {
    if (text[at] !== '\\') {
      value += text[at]
      at++
      continue
    }
    ESCAPE.lastIndex = at
    const [whole, octal, hexadecimal, char = ''] = ESCAPE.exec(text) ?? ['\\']
    if (octal !== undefined) value += String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    else if (hexadecimal !== undefined) value += String.fromCharCode(Number.parseInt(hexadecimal, 16))
    else value += ESCAPES[char] ?? char
    at += whole.length
  }
  return { value, rest: text.slice(at) }
}

/** A number as C's strtol reads it, in 64 bits: 0x begins hexadecimal digits, 0 octal ones. 0 for a text without digits. */
export function toInteger(text: string): bigint {
  const [, sign = '', digits = ''] = /^([+-]?)(0x[0-9a-f]+|0[0-7]*|[1-9]\d*)/i.exec(text) ?? []
  if (digits === '') return 0n
  const value = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits)
  return BigInt.asIntN(64, sign === '-' ? -value : value)
}

/** The same for an offset. */
export function toNumber(text: string): number {
  return Number(toInteger(text))
}
