import { isNonce } from './nonce.ts'

/**
 * The credentials of Digest authentication, without quotes and escapes; strings have one byte per character.
 */
export interface DigestCredentials {
  readonly username: string
  readonly realm: string
  readonly nonce: string
  readonly uri: string
  /** 32 characters; valid credentials have hexadecimal digits in lower case. */
  readonly response: string
  readonly algorithm: string | null
  readonly opaque: string | null
  /** null if the client supports only RFC 2069. */
  readonly qop: string | null
  readonly cnonce: string
  /** nc, as sent. */
  readonly count: string
}

/** Why a header has no usable credentials: another scheme, or a required field is missing or malformed. */
export type Unusable = { readonly scheme: string } | 'incomplete'

/** Length of an MD5 hash in hexadecimal. */
const RESPONSE_LENGTH = 32

/**
 * Parses an Authorization header as leniently as httpd: fields in any order, the last one of a name counts,
 * quotes are optional, and anything between a value and the next comma is ignored. Takes time proportional to
 * the length.
 */
export function readAuthorization(header: string): DigestCredentials | Unusable {
  const end = wordEnd(header, 0)
  const scheme = header.slice(0, end)
  if (scheme.toLowerCase() !== 'digest') return { scheme }

  const fields = readFields(header, end)
  const { username, realm, nonce, uri, response, algorithm = null, opaque = null, qop = null, cnonce, nc } = fields
  if (username === undefined || realm === undefined || uri === undefined) return 'incomplete'
  if (nonce === undefined || !isNonce(nonce) || response?.length !== RESPONSE_LENGTH) return 'incomplete'
  if (qop !== null && (cnonce === undefined || nc === undefined)) return 'incomplete'
  return { username, realm, nonce, uri, response, algorithm, opaque, qop, cnonce: cnonce ?? '', count: nc ?? '' }
}

const NAMES = ['username', 'realm', 'nonce', 'uri', 'response', 'algorithm', 'opaque', 'qop', 'cnonce', 'nc'] as const
type FieldName = (typeof NAMES)[number]

const KNOWN: ReadonlyMap<string, FieldName> = new Map(NAMES.map((name) => [name, name]))

/** Parses the fields after the scheme; a name without a value has the value ''. */
function readFields(header: string, start: number): Partial<Record<FieldName, string>> {
  const fields: Partial<Record<FieldName, string>> = {}
  let at = start
  while (at < header.length) {
    at = skipSpace(header, at)
    const nameEnd = fieldNameEnd(header, at)
    const name = KNOWN.get(header.slice(at, nameEnd).toLowerCase())
    at = skipSpace(header, nameEnd)
    let value = ''
    if (header[at] === '=') {
      at = skipSpace(header, at + 1)
      if (header[at] === '"') {
        const close = closingQuote(header, at + 1)
        value = withoutEscapes(header.slice(at + 1, close))
        at = close + 1
      } else {
        const valueEnd = tokenEnd(header, at)
        value = header.slice(at, valueEnd)
        at = valueEnd
      }
    }
    if (name !== undefined) fields[name] = value
    const comma = header.indexOf(',', at)
    at = comma < 0 ? header.length : comma + 1
  }
  return fields
}

function isSpace(character: string): boolean {
  return character === ' ' || (character >= '\t' && character <= '\r')
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text[at])) at++
  return at
}

function wordEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !isSpace(text[at])) at++
  return at
}

function fieldNameEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '=' && text[at] !== ',' && !isSpace(text[at])) at++
  return at
}

function tokenEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== ',' && !isSpace(text[at])) at++
  return at
}

/** Index of the quote that ends a string, or the length of the text. */
function closingQuote(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return Math.min(at, text.length)
}

/** Removes the backslash of each escape; one at the very end is kept. */
function withoutEscapes(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\s\S])/g, '$1') : text
}
