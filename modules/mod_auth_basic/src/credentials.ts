import { decodeBase64Lenient } from '@gatewright/api/text'

/** The credentials of Basic authentication; strings have one byte per character. */
export interface Credentials {
  readonly user: string
  readonly password: string
}

/**
 * Parses an Authorization header as leniently as httpd: anything after the scheme is accepted, and invalid
 * Base64 results in a short or empty user name.
 * @returns null if the scheme is not Basic
 */
export function parseCredentials(header: string): Credentials | null {
  const blank = header.indexOf(' ')
  const scheme = blank < 0 ? header : header.slice(0, blank)
  if (scheme.toLowerCase() !== 'basic') return null
  let start = blank < 0 ? header.length : blank
  while (header[start] === ' ' || header[start] === '\t') start++
  const text = untilNul(decodeBase64Lenient(header.slice(start)).toString('latin1'))
  const colon = text.indexOf(':')
  return colon < 0 ? { user: text, password: '' } : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}

function untilNul(text: string): string {
  const nul = text.indexOf('\0')
  return nul < 0 ? text : text.slice(0, nul)
}
