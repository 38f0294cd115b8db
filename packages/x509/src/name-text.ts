import type { Name, NameAttribute } from './name.ts'
import { objectName } from './object-names.ts'
import { characterCodes, isStringTag, utf8Octets } from './string-octets.ts'

/** Writes a distinguished name as a byte string: each character of the result is one byte. */
export type NameText = (name: Name) => string

/** OpenSSL's buffer for the type of an attribute that has no name: more digits are cut off. */
const LONGEST_TYPE = 79
const BACKSLASH = 0x5c

/**
 * A name as mod_ssl writes it into SSL_CLIENT_S_DN: in the order of RFC 2253, last first, with non-ASCII characters as bytes of
 * UTF-8 (OpenSSL's XN_FLAG_RFC2253 without ASN1_STRFLGS_ESC_MSB).
 * @returns a byte string: each character is one byte
 */
export const nameAsRfc2253: NameText = (name) => reversed(name, rfc2253Octet)

/** The same with non-ASCII bytes as `\C3`: what mod_ssl writes into log lines and SSL_CLIENT_CERT_RFC4523_CEA. */
export const nameAsAscii: NameText = (name) =>
  reversed(name, (octet, place) => (octet > 0x7f ? hexEscape(octet) : rfc2253Octet(octet, place)))

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
  return Array.from(utf8Octets(tag, contents), plainOctet).join('')
}

/**
 * The value of one attribute in its own character set, as variables that end in `_RAW` show it: characters above 0xff as `\U20AC`.
 * @returns a byte string; empty for a UTF8String that is not valid UTF-8
 */
export function attributeRawText({ tag, contents }: Pick<NameAttribute, 'tag' | 'contents'>): string {
  return (characterCodes(tag, contents) ?? []).map(rawCharacter).join('')
}

type Place = 'first' | 'last' | 'middle'

function reversed(name: Name, escaped: (octet: number, place: Place) => string): string {
  return name.relativeNames
    .filter((attributes) => attributes.length > 0)
    .toReversed()
    .map((attributes) =>
      attributes
        .toReversed()
        .map((attribute) => `${typeText(attribute)}=${value2253(attribute, escaped)}`)
        .join('+'),
    )
    .join(',')
}

function typeText({ oid }: NameAttribute): string {
  return objectName(oid)?.short ?? oid.slice(0, LONGEST_TYPE)
}

function value2253(attribute: NameAttribute, escaped: (octet: number, place: Place) => string): string {
  if (!isStringTag(attribute.tag) || objectName(attribute.oid) === undefined)
    return `#${attribute.der.toString('hex').toUpperCase()}`
  const octets = utf8Octets(attribute.tag, attribute.contents)
  const last = octets.length - 1
  // OpenSSL treats a single character as the last, so that a lone # is not escaped.
  return Array.from(octets, (octet, at) => escaped(octet, at === last ? 'last' : at === 0 ? 'first' : 'middle')).join('')
}

function rfc2253Octet(octet: number, place: Place): string {
  const character = String.fromCharCode(octet)
  if (octet < 0x20 || octet === 0x7f) return hexEscape(octet)
  if (',+"\\<>;'.includes(character)) return `\\${character}`
  if (character === ' ' && place !== 'middle') return '\\ '
  if (character === '#' && place === 'first') return '\\#'
  return character
}

function plainOctet(octet: number): string {
  if (octet < 0x20 || octet === 0x7f) return hexEscape(octet)
  return octet === BACKSLASH ? '\\\\' : String.fromCharCode(octet)
}

function rawCharacter(code: number): string {
  if (code > 0xffff) return `\\W${code.toString(16).toUpperCase().padStart(8, '0')}`
  if (code > 0xff) return `\\U${code.toString(16).toUpperCase().padStart(4, '0')}`
  return plainOctet(code)
}

function hexEscape(octet: number): string {
  return `\\${octet.toString(16).toUpperCase().padStart(2, '0')}`
}

function oneLineValue({ contents }: NameAttribute): string {
  return Array.from(contents, oneLineOctet).join('')
}

function oneLineOctet(octet: number): string {
  if (octet < 0x20 || octet > 0x7e) return `\\x${octet.toString(16).toUpperCase().padStart(2, '0')}`
  const character = String.fromCharCode(octet)
  return character === '/' || character === '+' ? `\\${character}` : character
}
