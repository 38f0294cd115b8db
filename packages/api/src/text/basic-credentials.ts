import { decodeBase64Lenient } from './base64.ts'

/** The credentials of Basic authentication; strings have one byte per character. */
export interface BasicCredentials {
  /** What is before the first colon. */
  readonly user: string
  /** What is after the first colon; '' without one. */
  readonly password: string
}

/**
 * Parses an Authorization header as leniently as httpd: anything after the scheme is accepted, invalid Base64
 * results in a short or empty user name, and the text ends at its first NUL. Every module that looks at typed
 * credentials uses this function: a check that reads them in another way than authentication does can be evaded.
 * @returns null if the scheme is not Basic
 */
export function parseBasicCredentials(header: string): BasicCredentials | null {
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
