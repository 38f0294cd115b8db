import type { Certificate } from './certificate.ts'
import { DerReader } from './der-reader.ts'
import {
  BIT_STRING,
  BMP_STRING,
  contextConstructed,
  contextPrimitive,
  IA5_STRING,
  OCTET_STRING,
  SEQUENCE,
  UTF8_STRING,
  VISIBLE_STRING,
} from './der-tags.ts'
import { hasBit, readBits, readInteger } from './der-values.ts'
import { readDistributionPointLines } from './distribution-point-text.ts'
import * as values from './extension-values.ts'
import { type GeneralName, readGeneralNames } from './general-name.ts'
import { generalNameText } from './general-name-text.ts'
import { isMalformed, orMalformed } from './malformed.ts'
import { objectIdentifier, objectName } from './object-names.ts'
import { readPolicyLines } from './policy-text.ts'
import { serialHex } from './serial.ts'
import { utf8Octets } from './string-octets.ts'

const ISSUER_ALT_NAME = '2.5.29.18'
const CERTIFICATE_POLICIES = '2.5.29.32'
const NETSCAPE = '2.16.840.1.113730.1'
const KEY_USAGE_TEXTS = [
  'Digital Signature',
  'Non Repudiation',
  'Key Encipherment',
  'Data Encipherment',
  'Key Agreement',
  'Certificate Sign',
  'CRL Sign',
  'Encipher Only',
  'Decipher Only',
]
const NETSCAPE_TYPE_TEXTS = [
  'SSL Client',
  'SSL Server',
  'S/MIME',
  'Object Signing',
  'Unused',
  'SSL CA',
  'S/MIME CA',
  'Object Signing CA',
]
const FEATURE_TEXTS: ReadonlyMap<number, string> = new Map([
  [5, 'status_request'],
  [17, 'status_request_v2'],
])

/** Writes the value of an extension; undefined for a value that OpenSSL does not write either. */
type Print = (value: Buffer) => string | undefined

/**
 * The values of an extension as the list function PeerExtList of expressions gives them: as OpenSSL prints the extension, or, for one
 * that it does not know, the text of a string value.
 * @param extension dotted decimals, or a short or long name of OpenSSL, as in `PeerExtList('nsComment')`
 * @returns byte strings, one for each occurrence of the extension; empty if there is none
 */
export function extensionTexts(certificate: Certificate, extension: string): readonly string[] {
  const oid = objectIdentifier(extension)
  return certificate.extensions
    .filter((each) => each.oid === oid)
    .flatMap(({ value }) => PRINTS.get(oid ?? '')?.(value) ?? displayText(value) ?? [])
    .filter((text) => text !== '')
}

const listOf =
  (read: (value: Buffer) => readonly string[] | undefined, separator: string): Print =>
  (value) =>
    read(value)?.join(separator)

const PRINTS: ReadonlyMap<string, Print> = new Map<string, Print>([
  [values.BASIC_CONSTRAINTS, basicConstraintsText],
  [values.KEY_USAGE, listOf((value) => namesOfBits(value, KEY_USAGE_TEXTS), ', ')],
  [`${NETSCAPE}.1`, listOf((value) => namesOfBits(value, NETSCAPE_TYPE_TEXTS), ', ')],
  [
    values.EXTENDED_KEY_USAGE,
    listOf((value) => values.extendedKeyUsage(only(values.EXTENDED_KEY_USAGE, value))?.map(longName), ', '),
  ],
  [values.SUBJECT_ALT_NAME, generalNamesText],
  [ISSUER_ALT_NAME, generalNamesText],
  [values.AUTHORITY_INFORMATION_ACCESS, listOf(accessTexts, '\n')],
  [values.CRL_DISTRIBUTION_POINTS, listOf((value) => values.decodedValue(value, readDistributionPointLines), '\n')],
  [CERTIFICATE_POLICIES, listOf((value) => values.decodedValue(value, readPolicyLines), '\n')],
  [values.SUBJECT_KEY_IDENTIFIER, keyIdentifierText],
  [values.AUTHORITY_KEY_IDENTIFIER, listOf(authorityKeyTexts, '\n')],
  [values.TLS_FEATURE, (value) => values.tlsFeatures(only(values.TLS_FEATURE, value).extensions).map(featureText).join(', ')],
  ...[2, 3, 4, 7, 8, 12, 13].map((last): [string, Print] => [`${NETSCAPE}.${last}`, netscapeText]),
])

function only(oid: string, value: Buffer): Pick<Certificate, 'extensions'> {
  return { extensions: [{ oid, critical: false, value }] }
}

function basicConstraintsText(value: Buffer): string | undefined {
  const constraints = values.basicConstraints(only(values.BASIC_CONSTRAINTS, value))
  if (constraints === undefined) return undefined
  const { ca, pathLength } = constraints
  return `CA:${ca ? 'TRUE' : 'FALSE'}${pathLength === undefined ? '' : `, pathlen:${pathLength}`}`
}

function namesOfBits(value: Buffer, names: readonly string[]): readonly string[] | undefined {
  return values.decodedValue(value, (reader) => {
    const bits = readBits(reader, BIT_STRING)
    return names.filter((_, bit) => hasBit(bits, bit))
  })
}

function longName(oid: string): string {
  return objectName(oid)?.long ?? oid
}

function featureText(feature: number): string {
  return FEATURE_TEXTS.get(feature) ?? String(feature)
}

function generalNamesText(value: Buffer): string | undefined {
  const names = values.decodedValue(value, (reader) => readGeneralNames(reader.enter(SEQUENCE)))
  if (names === undefined) return undefined
  return names.length === 0 ? '<EMPTY>' : joined(names, ', ', '')
}

/** @returns undefined if one of the names has no text */
function joined(names: readonly GeneralName[], separator: string, prefix: string): string | undefined {
  const texts = names.map(generalNameText)
  return texts.includes(undefined) ? undefined : texts.map((text) => prefix + text).join(separator)
}

function accessTexts(value: Buffer): readonly string[] | undefined {
  const all = values.decodedValue(value, values.readAccessDescriptions)
  const texts = all?.map(({ method, location }) => joined([location], '', `${longName(method)} - `))
  return texts?.every((text) => text !== undefined) ? texts : undefined
}

function keyIdentifierText(value: Buffer): string | undefined {
  const identifier = values.decodedValue(value, (reader) => reader.contents(reader.next(OCTET_STRING)))
  return identifier && colonHex(identifier.toString('hex'))
}

function authorityKeyTexts(value: Buffer): readonly string[] | undefined {
  return values.decodedValue(value, (outside) => {
    const reader = outside.enter(SEQUENCE)
    const identifier = reader.optional(contextPrimitive(0))
    const issuer = reader.optional(contextConstructed(1))
    const serial = reader.peek() === contextPrimitive(2) ? readInteger(reader, contextPrimitive(2)) : undefined
    reader.finish()
    // The word is left out when it would be the only one.
    const word = issuer === undefined && serial === undefined ? '' : 'keyid:'
    return [
      ...(identifier === undefined ? [] : [word + colonHex(reader.contents(identifier).toString('hex'))]),
      ...(issuer === undefined ? [] : readGeneralNames(reader.inside(issuer)).map((name) => generalNameText(name) ?? '')),
      ...(serial === undefined ? [] : [`serial:${colonHex(serialHex(serial))}`]),
    ]
  })
}

function colonHex(hex: string): string {
  return (hex.toUpperCase().match(/../g) ?? []).join(':')
}

function netscapeText(value: Buffer): string | undefined {
  return values.decodedValue(value, (reader) => reader.contents(reader.next(IA5_STRING)))?.toString('latin1')
}

/** The text of a value that is a string of one of four types. */
function displayText(value: Buffer): string | undefined {
  const text = orMalformed(() => {
    // Bytes after the string do not matter to OpenSSL.
    const reader = new DerReader(value)
    const string = reader.next()
    const isDisplay = [UTF8_STRING, IA5_STRING, VISIBLE_STRING, BMP_STRING].includes(string.tag)
    return isDisplay ? utf8Octets(string.tag, reader.contents(string)) : Buffer.alloc(0)
  })
  return isMalformed(text) || text.length === 0 ? undefined : text.toString('latin1')
}
