import { hash } from 'node:crypto'
import { escapeLdap, escapePath, unescapePath } from './escaping.ts'

/**
 * The string functions that need no request, by lower-case name. They depend on nothing but the argument, so that calls with a
 * constant are worked out when an expression is parsed.
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

/** Decodes up to the first character that is not of the alphabet, padding included; a NUL in the result ends it. */
function decodeBase64(text: string): string {
  const digits = /^[A-Za-z0-9+/]*/.exec(text)?.[0] ?? ''
  const decoded = Buffer.from(digits, 'base64').toString('latin1')
  const end = decoded.indexOf('\0')
  return end < 0 ? decoded : decoded.slice(0, end)
}
