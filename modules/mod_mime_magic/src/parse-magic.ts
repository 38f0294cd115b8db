import type { MagicEntry, MagicType, Offset, Relation } from './magic-entry.ts'
import { parseValue, toInteger, toNumber } from './parse-value.ts'
import { extended } from './value-window.ts'

/** A line that cannot be understood. */
export interface MagicMistake {
  readonly code: string
  readonly message: string
  /** From 1. */
  readonly line: number
}

export interface ParsedMagic {
  readonly entries: readonly MagicEntry[]
  readonly mistakes: readonly MagicMistake[]
}

/** Parses a magic file: `OFFSET TYPE TEST RESULT [ENCODING]` in each line. @param text one character for each byte */
export function parseMagic(text: string): ParsedMagic {
  const entries: MagicEntry[] = []
  const mistakes: MagicMistake[] = []
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const entry = parseLine(line)
    if ('level' in entry) entries.push(entry)
    else mistakes.push({ ...entry, line: index + 1 })
  }
  return { entries, mistakes }
}

type Fault = Omit<MagicMistake, 'line'>

const TYPES: readonly MagicType[] = [
  'byte',
  'short',
  'long',
  'string',
  'date',
  'beshort',
  'belong',
  'bedate',
  'leshort',
  'lelong',
  'ledate',
]

const INTEGER = String.raw`[+-]?(?:0x[0-9a-f]+|\d+)`
const PLAIN_OFFSET = new RegExp(`^${INTEGER}`, 'i')
const INDIRECT_OFFSET = new RegExp(String.raw`^\((${INTEGER})(?:\.([lsb]))?(?:([+-])(${INTEGER}))?(\)?)`, 'i')
const TYPE = new RegExp(`^(u?)(${TYPES.toSorted((one, other) => other.length - one.length).join('|')})(?:&(${INTEGER}))?`, 'i')

function parseLine(line: string): MagicEntry | Fault {
  const level = /^>*/.exec(line)?.[0].length ?? 0
  const written = line.slice(level)
  const offset = parseOffset(written, level)
  if ('code' in offset) return offset
  const rest = written.slice(offset.length).trimStart()
  const typeMatch = TYPE.exec(rest)
  if (typeMatch === null) return { code: 'AH01524', message: `mod_mime_magic: type ${rest} invalid` }
  const [wholeType, unsigned, typeName, mask] = typeMatch
  const type = TYPES.find((known) => known === typeName.toLowerCase()) ?? 'byte'
  const { relation, length } = parseRelation(rest.slice(wholeType.length).trimStart(), type)
  const kind = { type, isUnsigned: unsigned !== '' }
  const value = parseValue(rest.slice(wholeType.length).trimStart().slice(length), kind, relation)
  const result = value.rest.trimStart()
  const joins = result.startsWith('\\b') || result.startsWith('\b')
  return {
    level,
    offset,
    ...kind,
    mask: mask === undefined ? null : extended(kind, toInteger(mask)),
    relation,
    value: value.value,
    result: joins ? result.replace(/^(?:\\b|\x08)/, '') : result,
    joins,
  }
}

function parseOffset(text: string, level: number): (Offset & { readonly length: number }) | Fault {
  if (level > 0 && text.startsWith('(')) {
    const match = INDIRECT_OFFSET.exec(text)
    if (match === null) return { code: 'AH01521', message: `mod_mime_magic: offset ${text.slice(1)} invalid` }
    const [whole, at, size = 'l', sign = '+', add = '0', close] = match
    if (close === '') return { code: 'AH01523', message: "mod_mime_magic: missing ')' in indirect offset" }
    const bytes = size.toLowerCase() === 'b' ? 1 : size.toLowerCase() === 's' ? 2 : 4
    const amount = toNumber(add)
    return { at: toNumber(at), indirect: { size: bytes, add: sign === '-' ? -amount : amount }, length: whole.length }
  }
  const match = PLAIN_OFFSET.exec(text)
  if (match === null) return { code: 'AH01521', message: `mod_mime_magic: offset ${text} invalid` }
  return { at: toNumber(match[0]), indirect: null, length: match[0].length }
}

function parseRelation(text: string, type: MagicType): { readonly relation: Relation; readonly length: number } {
  const [first, second = ''] = text
  switch (first) {
    case '<':
    case '>':
    case '&':
    case '^':
    case '=':
      return { relation: first, length: second === '=' ? 2 : 1 }
    case '!':
      return type === 'string' ? { relation: '=', length: 0 } : { relation: '!', length: 1 }
    case 'x':
      return /^x\s/.test(text) ? { relation: 'x', length: 1 } : { relation: '=', length: 0 }
    default:
      return { relation: '=', length: 0 }
  }
}
