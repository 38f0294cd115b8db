import { ber } from './ber.ts'

/** Tags of the choices of Filter, RFC 4511 section 4.5.1.7. */
const FILTER = {
  and: 0xa0,
  or: 0xa1,
  not: 0xa2,
  equality: 0xa3,
  substrings: 0xa4,
  greaterOrEqual: 0xa5,
  lessOrEqual: 0xa6,
  present: 0x87,
  approximate: 0xa8,
  extensible: 0xa9,
} as const

/** An attribute with its options, RFC 4512 section 2.5: a name or the number of one. */
const DESCRIPTION = /^(?:[A-Za-z][A-Za-z0-9-]*|[0-2](?:\.[0-9]+)+)(?:;[A-Za-z0-9-]+)*$/

/** Deeper filters are refused, so that one from a request cannot use up the stack. */
const DEEPEST = 200

/**
 * Encodes a search filter from its text form (RFC 4515), as leniently as OpenLDAP's client library: one item needs no
 * parentheses, blanks may stand between items, and in values `\*`, `\(`, `\)` and `\\` are accepted beside `\2a`.
 * @param text bytes, one per character
 * @returns null for a text that is no filter
 */
export function encodeFilter(text: string): Buffer | null {
  const parser = new FilterParser(text)
  return parser.whole()
}

/** Escapes a value for a filter so that it can only match itself, RFC 4515 section 3. */
export function escapeFilterValue(value: string): string {
  return value.replace(/[\0()*\\]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

class FilterParser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): Buffer | null {
    this.#skipBlanks()
    if (this.#at >= this.#text.length) return null
    if (this.#text[this.#at] !== '(') return item(this.#text.slice(this.#at))
    const filter = this.#filter(0)
    return filter !== null && this.#at === this.#text.length ? filter : null
  }

  /** A filter in parentheses; the parser is at the first of them. */
  #filter(depth: number): Buffer | null {
    if (depth > DEEPEST || this.#text[this.#at] !== '(') return null
    this.#at++
    this.#skipBlanks()
    switch (this.#text[this.#at]) {
      case '&':
        return this.#list(FILTER.and, depth)
      case '|':
        return this.#list(FILTER.or, depth)
      case '!':
        return this.#list(FILTER.not, depth)
      case '(':
      case undefined:
        return null
      default:
        return this.#item()
    }
  }

  #list(tag: number, depth: number): Buffer | null {
    this.#at++
    const filters: Buffer[] = []
    for (;;) {
      this.#skipBlanks()
      if (this.#text[this.#at] === ')') break
      const filter = this.#filter(depth + 1)
      if (filter === null) return null
      filters.push(filter)
    }
    this.#at++
    if (tag === FILTER.not && filters.length !== 1) return null
    return ber.wrap(tag, ...filters)
  }

  #item(): Buffer | null {
    const start = this.#at
    let open = 1
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at]
      if (character === '\\') this.#at++
      else if (character === '(') open++
      else if (character === ')' && --open === 0) return item(this.#text.slice(start, this.#at++))
    }
    return null
  }

  #skipBlanks(): void {
    while (/[ \t\n]/.test(this.#text[this.#at] ?? '')) this.#at++
  }
}

/** `ATTRIBUTE OPERATOR VALUE` without parentheses. */
function item(text: string): Buffer | null {
  const equals = text.indexOf('=')
  if (equals < 0) return null
  const value = text.slice(equals + 1)
  switch (text[equals - 1]) {
    case '<':
      return assertion(FILTER.lessOrEqual, text.slice(0, equals - 1), value)
    case '>':
      return assertion(FILTER.greaterOrEqual, text.slice(0, equals - 1), value)
    case '~':
      return assertion(FILTER.approximate, text.slice(0, equals - 1), value)
    case ':':
      return extensible(text.slice(0, equals - 1), value)
    default:
      break
  }
  const attribute = text.slice(0, equals)
  if (value === '*') return DESCRIPTION.test(attribute) ? ber.text(attribute, FILTER.present) : null
  const parts = split(value)
  return parts.length > 1 ? substrings(attribute, parts) : assertion(FILTER.equality, attribute, value)
}

function assertion(tag: number, attribute: string, value: string): Buffer | null {
  const bytes = unescaped(value)
  if (bytes === null || !DESCRIPTION.test(attribute)) return null
  return ber.wrap(tag, ber.text(attribute), ber.text(bytes))
}

/** The texts between asterisks that are not escaped. */
function split(value: string): string[] {
  const parts = ['']
  for (let at = 0; at < value.length; at++) {
    const character = value[at]
    if (character === '*') parts.push('')
    else {
      parts[parts.length - 1] += character
      if (character === '\\' && at + 1 < value.length) parts[parts.length - 1] += value[++at]
    }
  }
  return parts
}

function substrings(attribute: string, parts: readonly string[]): Buffer | null {
  if (!DESCRIPTION.test(attribute)) return null
  const encoded: Buffer[] = []
  for (const [index, part] of parts.entries()) {
    const bytes = unescaped(part)
    if (bytes === null) return null
    // `initial`, `any` or `final`; two asterisks in a row are one.
    if (bytes !== '') encoded.push(ber.text(bytes, index === 0 ? 0x80 : index === parts.length - 1 ? 0x82 : 0x81))
  }
  if (encoded.length === 0) return ber.text(attribute, FILTER.present)
  return ber.wrap(FILTER.substrings, ber.text(attribute), ber.wrap(0x30, ...encoded))
}

/** `[ATTRIBUTE][:dn][:RULE]:=VALUE`; the colon before the equals sign is gone. */
function extensible(left: string, value: string): Buffer | null {
  const [attribute, ...rest] = left.split(':')
  const hasDn = rest[0]?.toLowerCase() === 'dn'
  const [rule, ...surplus] = hasDn ? rest.slice(1) : rest
  const bytes = unescaped(value)
  if (bytes === null || surplus.length > 0) return null
  if (attribute === '' && rule === undefined) return null
  if (attribute !== '' && !DESCRIPTION.test(attribute)) return null
  if (rule !== undefined && !DESCRIPTION.test(rule)) return null
  const parts: Buffer[] = []
  if (rule !== undefined) parts.push(ber.text(rule, 0x81))
  if (attribute !== '') parts.push(ber.text(attribute, 0x82))
  parts.push(ber.text(bytes, 0x83))
  if (hasDn) parts.push(ber.wrap(0x84, Buffer.from([0xff])))
  return ber.wrap(FILTER.extensible, ...parts)
}

/** The bytes of a value without its escapes; null for an escape or a character that does not belong there. */
function unescaped(value: string): string | null {
  let bytes = ''
  for (let at = 0; at < value.length; at++) {
    const character = value[at]
    if (character === '(' || character === ')' || character === '*') return null
    if (character !== '\\') {
      bytes += character
      continue
    }
    const digits = value.slice(at + 1, at + 3)
    if (/^[0-9A-Fa-f]{2}$/.test(digits)) {
      bytes += String.fromCharCode(Number.parseInt(digits, 16))
      at += 2
    } else if (/^[()*\\]/.test(digits)) {
      bytes += digits[0]
      at += 1
    } else return null
  }
  return bytes
}
