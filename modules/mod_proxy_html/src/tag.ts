import { withoutReferences } from './reference.ts'

/** An attribute; its value is null if it has none (`<option selected>`). */
export interface Attribute {
  readonly name: string
  readonly value: string | null
}

/** A start tag that was read. Names are in lower case, values without references. */
export interface StartTag {
  readonly name: string
  readonly attributes: readonly Attribute[]
  /** `closed` for `/>`; `cut` if the text ends before the tag does. */
  readonly end: 'open' | 'closed' | 'cut'
  /** Index after the tag. */
  readonly next: number
}

/**
 * Reads the start tag at an index, which has `<` and a letter. Like browsers, it ignores what is no attribute, and all but
 * the first of several attributes with one name.
 * @returns null if the text ends before the tag does and more may follow
 */
export function readStartTag(text: string, index: number, ended: boolean): StartTag | null {
  const name = nameAt(text, index + 1)
  const attributes: Attribute[] = []
  const seen = new Set<string>()
  let at = blanksEnd(text, index + 1 + name.length)
  for (;;) {
    if (at >= text.length) return ended ? { name: name.toLowerCase(), attributes, end: 'cut', next: at } : null
    if (text[at] === '>') return { name: name.toLowerCase(), attributes, end: 'open', next: at + 1 }
    if (text[at] === '/') {
      if (at + 1 >= text.length && !ended) return null
      if (text[at + 1] === '>') return { name: name.toLowerCase(), attributes, end: 'closed', next: at + 2 }
    }
    const attribute = attributeAt(text, at)
    if (attribute === null) at = junkEnd(text, at)
    else {
      at = attribute.next
      if (!seen.has(attribute.name)) attributes.push({ name: attribute.name, value: attribute.value })
      seen.add(attribute.name)
    }
    at = blanksEnd(text, at)
  }
}

/** An end tag that was read; without a name, only `</` was read. */
export interface EndTag {
  readonly name: string
  readonly next: number
}

/** Reads the end tag at an index, which has `</`. @returns null if the text ends before the tag does and more may follow */
export function readEndTag(text: string, index: number, ended: boolean): EndTag | null {
  const name = nameAt(text, index + 2)
  if (name === '') return index + 2 < text.length || ended ? { name, next: index + 2 } : null
  const end = text.indexOf('>', index + 2 + name.length)
  if (end < 0) return ended ? { name: name.toLowerCase(), next: text.length } : null
  return { name: name.toLowerCase(), next: end + 1 }
}

/** Whether a byte, as a character, is white space of HTML. */
export function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r'
}

/** Index of the first character at or after an index that is no white space. */
export function blanksEnd(text: string, index: number): number {
  let at = index
  while (isBlank(text[at])) at++
  return at
}

/** Longest name that is read as one; what follows is read as something else. */
const NAME = /[A-Za-z_:.][A-Za-z0-9:_.-]{0,99}/y

function nameAt(text: string, index: number): string {
  NAME.lastIndex = index
  return NAME.exec(text)?.[0] ?? ''
}

interface ReadAttribute extends Attribute {
  readonly next: number
}

function attributeAt(text: string, index: number): ReadAttribute | null {
  const name = nameAt(text, index)
  if (name === '') return null
  const afterName = index + name.length
  const sign = blanksEnd(text, afterName)
  if (text[sign] !== '=') return { name: name.toLowerCase(), value: null, next: sign }
  const start = blanksEnd(text, sign + 1)
  const quote = text[start]
  if (quote !== '"' && quote !== "'") {
    UNQUOTED.lastIndex = start
    const value = UNQUOTED.exec(text)?.[0] ?? ''
    return { name: name.toLowerCase(), value: withoutReferences(value), next: start + value.length }
  }
  const found = text.indexOf(quote, start + 1)
  const end = found < 0 ? text.length : found
  return { name: name.toLowerCase(), value: withoutReferences(text.slice(start + 1, end)), next: found < 0 ? end : end + 1 }
}

const UNQUOTED = /[^ \t\r\n>]*/y

/** What is no attribute extends to the next blank or the end of the tag. */
function junkEnd(text: string, index: number): number {
  JUNK.lastIndex = index
  return index + (JUNK.exec(text)?.[0].length ?? 0)
}

const JUNK = /(?:[^ \t\r\n>/]|\/(?!>))*/y
