import type { Name, NameAttribute } from './name.ts'
import { objectName } from './object-names.ts'
import { characterCodes, isStringTag, utf8Octets } from './string-octets.ts'

/** Writes a distinguished name as a byte string: each character of the result is one byte. */
export type NameText = (name: Name) => string

/** OpenSSL's buffer for the type of an attribute that has no name: more digits are cut off. */
const LONGEST_TYPE = 79
/** Characters that RFC 2253 reserves, and control characters. */
const RESERVED = /[\x00-\x1f\x7f,+"\\<>;]/g
/** The same, and bytes that are not ASCII. */
const RESERVED_OR_HIGH = /[\x00-\x1f\x7f-\xff,+"\\<>;]/g

/**
 * A name as mod_ssl writes it into SSL_CLIENT_S_DN: in the order of RFC 2253, last first, with non-ASCII characters as bytes of
 * UTF-8 (OpenSSL's XN_FLAG_RFC2253 without ASN1_STRFLGS_ESC_MSB).
 * @returns a byte string: each character is one byte
 */
export const nameAsRfc2253: NameText = (name) => reversed(name, RESERVED)

/** The same with non-ASCII bytes as `\C3`: what mod_ssl writes into log lines and SSL_CLIENT_CERT_RFC4523_CEA. */
export const nameAsAscii: NameText = (name) => reversed(name, RESERVED_OR_HIGH)

/**
 * A name as mod_ssl writes it into log lines: `nameAsAscii`, cut off to a number of characters of which the last three are dots.
 * @param longest at least 3
 */
export function nameForLog(name: Name, longest: number): string {
  const text = nameAsAscii(name)
  return text.length > longest ? `${text.slice(0, longest - 3)}...` : text
}

/**
 * A name in the old form `/C=DE/O=Example/CN=localhost`, as X509_NAME_oneline of OpenSSL 3.0.19 writes it: `+` before another
 * attribute of the same relative name, a backslash before `/` and `+` in values, and `\xC3` for bytes that are not printable ASCII.
 * It is the user name of FakeBasicAuth, and what LegacyDNStringFormat gives.
 */
export const nameAsOneLine: NameText = (name) =>
  name.relativeNames
    .flatMap((attributes) =>
      attributes.map((attribute, at) => `${at > 0 ? '+' : '/'}${typeText(attribute)}=${oneLineValue(attribute)}`),
    )
    .join('')

/**
 * The value of one attribute as mod_ssl writes it into SSL_CLIENT_S_DN_CN: UTF-8, control characters as `\0A`, backslashes doubled.
 * @returns a byte string
 */
export function attributeText({ tag, contents }: Pick<NameAttribute, 'tag' | 'contents'>): string {
  return utf8Octets(tag, contents)
    .toString('latin1')
    .replace(/[\x00-\x1f\x7f\\]/g, escaped)
}

/**
 * The value of one attribute in its own character set, as variables that end in `_RAW` show it: characters above 0xff as `\U20AC`.
 * @returns a byte string; empty for a UTF8String that is not valid UTF-8
 */
export function attributeRawText({ tag, contents }: Pick<NameAttribute, 'tag' | 'contents'>): string {
  return (characterCodes(tag, contents) ?? []).map(rawCharacter).join('')
}

function reversed(name: Name, reserved: RegExp): string {
  return name.relativeNames
    .filter((attributes) => attributes.length > 0)
    .toReversed()
    .map((attributes) =>
      attributes
        .toReversed()
        .map((attribute) => `${typeText(attribute)}=${value2253(attribute, reserved)}`)
        .join('+'),
    )
    .join(',')
}

function typeText({ oid }: NameAttribute): string {
  return objectName(oid)?.short ?? oid.slice(0, LONGEST_TYPE)
}

function value2253({ oid, tag, contents, der }: NameAttribute, reserved: RegExp): string {
  if (!isStringTag(tag) || objectName(oid) === undefined) return `#${der.toString('hex').toUpperCase()}`
  const text = utf8Octets(tag, contents).toString('latin1')
  const inside = text.replace(reserved, escaped)
  // OpenSSL treats a single character as the last, so that a lone # is not escaped.
  const start = text.length > 1 && /^[ #]/.test(text) ? '\\' : ''
  return text.endsWith(' ') ? `${start}${inside.slice(0, -1)}\\ ` : start + inside
}

/** A backslash before a printable character, hexadecimal digits for another one. */
function escaped(character: string): string {
  return /[ -~]/.test(character) ? `\\${character}` : hexEscape(character.charCodeAt(0))
}

function rawCharacter(code: number): string {
  if (code > 0xffff) return `\\W${code.toString(16).toUpperCase().padStart(8, '0')}`
  if (code > 0xff) return `\\U${code.toString(16).toUpperCase().padStart(4, '0')}`
  const character = String.fromCharCode(code)
  return /[\x00-\x1f\x7f\\]/.test(character) ? escaped(character) : character
}

function hexEscape(octet: number): string {
  return `\\${octet.toString(16).toUpperCase().padStart(2, '0')}`
}

function oneLineValue({ contents }: NameAttribute): string {
  return contents.toString('latin1').replace(/[^ -~]|[/+]/g, oneLineEscaped)
}

function oneLineEscaped(character: string): string {
  if (character === '/' || character === '+') return `\\${character}`
  return `\\x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
