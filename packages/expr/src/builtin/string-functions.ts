import { hash } from 'node:crypto'
import { escapeLdap, escapePath, unescapePath } from './escaping.ts'

/**
 * The string functions that do not need a request, by lower-case name. Their results depend only on the
 * argument, so calls with a constant argument are evaluated when an expression is parsed.
 */
export function builtinStringFunction(name: string): ((argument: string) => string) | undefined {
  switch (name) {
    case 'tolower':
      return (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    case 'toupper':
      return (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    case 'escape':
      return escapePath
    case 'unescape':
      return unescapePath
    case 'base64':
      return (text) => Buffer.from(text, 'latin1').toString('base64')
    case 'unbase64':
      return decodeBase64
    case 'md5':
    case 'sha1':
      return (text) => hash(name, Buffer.from(text, 'latin1'), 'hex')
    case 'ldap':
      return escapeLdap
  }
}

/** Decodes up to the first character outside the alphabet, which includes padding; a NUL ends the result. */
function decodeBase64(text: string): string {
  const digits = /^[A-Za-z0-9+/]*/.exec(text)?.[0] ?? ''
  const decoded = Buffer.from(digits, 'base64').toString('latin1')
  const end = decoded.indexOf('\0')
  return end < 0 ? decoded : decoded.slice(0, end)
}
