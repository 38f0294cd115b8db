import { htmlEntity, utf8Of } from './html-entity.ts'

/** A reference (`&amp;`, `&#65;`) that was read. */
export interface Reference {
  /** The characters that it stands for, in UTF-8 as bytes: its own text if it is unknown, '' if it has no character. */
  readonly text: string
  /** Index after it. */
  readonly next: number
  /** Whether it names the character 0, or one that no document may have. */
  readonly invalid: boolean
}

/** Reads what begins with `&` at an index. @returns null if the text ends in the reference and more may follow */
export function readReference(text: string, index: number, ended: boolean): Reference | null {
  REFERENCE.lastIndex = index
  const found = REFERENCE.exec(text)?.[0] ?? '&'
  const next = index + found.length
  if (next >= text.length && !ended && found.length < LONGEST) return null
  if (found.startsWith('&#')) return numeric(found, text, next)
  const known = text[next] === ';' ? htmlEntity(found.slice(1)) : undefined
  return known === undefined ? { text: found, next, invalid: false } : { text: known, next: next + 1, invalid: false }
}

/** Replaces the references in the value of an attribute; the value ends at a reference to no character. */
export function withoutReferences(value: string): string {
  let made = ''
  let from = 0
  for (;;) {
    const at = value.indexOf('&', from)
    if (at < 0) return made === '' ? value : made + value.slice(from)
    made += value.slice(from, at)
    const reference = readReference(value, at, true)
    if (reference === null || reference.invalid) return made
    made += reference.text
    from = reference.next
    if (from >= value.length) return made
  }
}

const LONGEST = 200

const REFERENCE = /&(?:#(?:[xX][0-9A-Fa-f]*|[0-9]*)|[A-Za-z_:\x80-\xff][A-Za-z0-9_:.\x80-\xff-]{0,198})?/y

function numeric(found: string, text: string, end: number): Reference {
  const hexadecimal = /^&#[xX]/.test(found)
  const digits = found.slice(hexadecimal ? 3 : 2)
  const next = text[end] === ';' ? end + 1 : end
  // More digits than any character has: parseInt would only lose precision.
  const code = digits === '' ? 0 : Number.parseInt(digits.slice(0, 400), hexadecimal ? 16 : 10)
  return isCharacter(code) ? { text: utf8Of(code), next, invalid: false } : { text: '', next, invalid: true }
}

/** Characters of XML 1.0. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
}
