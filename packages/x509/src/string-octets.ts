import { isUtf8 } from 'node:buffer'
import {
  BMP_STRING,
  IA5_STRING,
  NUMERIC_STRING,
  PRINTABLE_STRING,
  T61_STRING,
  UNIVERSAL_STRING,
  UTF8_STRING,
  VISIBLE_STRING,
} from './der-tags.ts'

/** How the characters of a string type are encoded: bytes per character, or UTF-8. */
const WIDTHS: ReadonlyMap<number, 1 | 2 | 4 | 'utf8'> = new Map<number, 1 | 2 | 4 | 'utf8'>([
  [UTF8_STRING, 'utf8'],
  [NUMERIC_STRING, 1],
  [PRINTABLE_STRING, 1],
  // OpenSSL reads T61String as ISO-8859-1.
  [T61_STRING, 1],
  [IA5_STRING, 1],
  [VISIBLE_STRING, 1],
  [UNIVERSAL_STRING, 4],
  [BMP_STRING, 2],
])

/** Whether a type is one of characters. Others are shown in hexadecimal digits, or as if their bytes were characters. */
export function isStringTag(tag: number): boolean {
  return WIDTHS.has(tag)
}

/** Whether a string is valid in its character set. OpenSSL rejects names with other strings. */
export function isWellFormed(tag: number, contents: Buffer): boolean {
  const width = WIDTHS.get(tag) ?? 1
  if (width === 1) return true
  if (width === 'utf8') return isUtf8(contents)
  if (contents.length % width !== 0) return false
  for (const code of wideCharacters(width, contents)) if (!isCharacter(code)) return false
  return true
}

/**
 * The contents of a string in UTF-8, as OpenSSL converts them: contents of a UTF8String are taken as they are, even if they are not
 * valid UTF-8; surrogates and numbers above 0x10ffff are left out. A type that is not one of characters is read as ISO-8859-1.
 */
export function utf8Octets(tag: number, contents: Buffer): Buffer {
  const width = WIDTHS.get(tag) ?? 1
  if (width === 'utf8') return contents
  if (width === 1) return isAscii(contents) ? contents : Buffer.from(contents.toString('latin1'), 'utf8')
  const characters: string[] = []
  for (const code of wideCharacters(width, contents)) if (isCharacter(code)) characters.push(String.fromCodePoint(code))
  return Buffer.from(characters.join(''), 'utf8')
}

/**
 * The numbers of the characters of a string in its own character set, as `_RAW` variables show them.
 * @returns undefined for a UTF8String that is not valid UTF-8
 */
export function characterCodes(tag: number, contents: Buffer): number[] | undefined {
  const width = WIDTHS.get(tag) ?? 1
  if (width === 1) return [...contents]
  if (width !== 'utf8') return [...wideCharacters(width, contents)]
  try {
    return Array.from(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(contents),
      (character) => character.codePointAt(0) ?? 0,
    )
  } catch {
    return undefined
  }
}

function* wideCharacters(width: 2 | 4, contents: Buffer): Generator<number> {
  for (let at = 0; at + width <= contents.length; at += width) yield contents.readUIntBE(at, width)
}

/** Neither a surrogate nor too large. */
function isCharacter(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
}

function isAscii(contents: Buffer): boolean {
  return contents.every((byte) => byte < 0x80)
}
