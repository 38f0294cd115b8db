import { createHash } from 'node:crypto'
import { NUMERIC_STRING, UTF8_STRING } from './der-tags.ts'
import { derOid, derSequence, derSet, derValue } from './der-writer.ts'
import type { Name, NameAttribute } from './name.ts'
import { isStringTag, utf8Octets } from './string-octets.ts'

/**
 * The hash by which OpenSSL finds certificates and lists in folders: `HASH.0` in SSLCACertificatePath, `HASH.r0` in
 * SSLCARevocationPath, and what `openssl x509 -hash` prints.
 * @returns eight hexadecimal digits
 */
export function nameHash(name: Name): string {
  return createHash('sha1').update(canonicalName(name)).digest().readUInt32LE(0).toString(16).padStart(8, '0')
}

/** Whether OpenSSL takes two names for the same: case of ASCII letters, kinds of strings and superfluous blanks do not count. */
export function isSameName(one: Name, other: Name): boolean {
  return canonicalName(one).equals(canonicalName(other))
}

function canonicalName(name: Name): Buffer {
  return Buffer.concat(name.relativeNames.map((attributes) => derSet(...attributes.map(canonicalAttribute))))
}

/** Strings, except numeric ones, in UTF-8 and lower case (ASCII alone), without blanks around them and with single blanks inside. */
function canonicalAttribute({ oid, tag, contents, der }: NameAttribute): Buffer {
  if (!isStringTag(tag) || tag === NUMERIC_STRING) return derSequence(derOid(oid), der)
  const text = utf8Octets(tag, contents).toString('latin1')
  const canonical = text
    .replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, '')
    .replace(/[ \t\n\v\f\r]+/g, ' ')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return derSequence(derOid(oid), derValue(UTF8_STRING, Buffer.from(canonical, 'latin1')))
}
