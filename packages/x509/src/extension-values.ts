import type { Certificate } from './certificate.ts'
import { DerReader } from './der-reader.ts'
import { BIT_STRING, contextConstructed, contextPrimitive, INTEGER, OCTET_STRING, SEQUENCE } from './der-tags.ts'
import { hasBit, readBits, readBooleanOrFalse, readOid, readSmallInteger } from './der-values.ts'
import { type Extension, extensionValue } from './extension.ts'
import { type GeneralName, readGeneralName, readGeneralNames } from './general-name.ts'
import { isMalformed, orMalformed } from './malformed.ts'

/** Identifiers of extensions, in dotted decimals. */
export const SUBJECT_KEY_IDENTIFIER = '2.5.29.14'
export const KEY_USAGE = '2.5.29.15'
export const SUBJECT_ALT_NAME = '2.5.29.17'
export const BASIC_CONSTRAINTS = '2.5.29.19'
export const CRL_DISTRIBUTION_POINTS = '2.5.29.31'
export const AUTHORITY_KEY_IDENTIFIER = '2.5.29.35'
export const EXTENDED_KEY_USAGE = '2.5.29.37'
export const AUTHORITY_INFORMATION_ACCESS = '1.3.6.1.5.5.7.1.1'
export const TLS_FEATURE = '1.3.6.1.5.5.7.1.24'
const OCSP = '1.3.6.1.5.5.7.48.1'
const CA_ISSUERS = '1.3.6.1.5.5.7.48.2'
/** The TLS extension status_request (RFC 7633): a server with such a certificate must staple. */
const STATUS_REQUEST = 5

/** The names of bits of keyUsage (RFC 5280, section 4.2.1.3), by bit. */
export const KEY_USAGES: readonly string[] = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
]

/** What basicConstraints states. */
export interface BasicConstraints {
  readonly ca: boolean
  /** How many intermediate certificates may follow; undefined: any number. */
  readonly pathLength: number | undefined
}

/** URLs of authorityInfoAccess, as byte strings. */
export interface AuthorityInformation {
  readonly ocsp: readonly string[]
  readonly caIssuers: readonly string[]
}

/** One element of authorityInfoAccess. */
export interface AccessDescription {
  readonly method: string
  readonly location: GeneralName
}

/** The names of subjectAltName. @returns an empty list if the extension is absent, malformed or present twice */
export function subjectAltNames(certificate: Certificate): readonly GeneralName[] {
  return decoded(certificate.extensions, SUBJECT_ALT_NAME, (reader) => readGeneralNames(reader.enter(SEQUENCE))) ?? []
}

/** @returns undefined if the extension is absent, malformed or present twice */
export function basicConstraints({ extensions }: Pick<Certificate, 'extensions'>): BasicConstraints | undefined {
  return decoded(extensions, BASIC_CONSTRAINTS, (reader) => {
    const inside = reader.enter(SEQUENCE)
    const ca = readBooleanOrFalse(inside)
    const pathLength = inside.more ? readSmallInteger(inside, INTEGER) : undefined
    inside.finish()
    return { ca, pathLength }
  })
}

/** The names of the bits that are set. @returns undefined if the extension is absent, malformed or present twice */
export function keyUsage({ extensions }: Pick<Certificate, 'extensions'>): readonly string[] | undefined {
  return decoded(extensions, KEY_USAGE, (reader) => {
    const bits = readBits(reader, BIT_STRING)
    return KEY_USAGES.filter((_, bit) => hasBit(bits, bit))
  })
}

/** Purposes in dotted decimals. @returns undefined if the extension is absent, malformed or present twice */
export function extendedKeyUsage({ extensions }: Pick<Certificate, 'extensions'>): readonly string[] | undefined {
  return decoded(extensions, EXTENDED_KEY_USAGE, (reader) => {
    const purposes: string[] = []
    for (const list = reader.enter(SEQUENCE); list.more; ) purposes.push(readOid(list))
    return purposes
  })
}

/** The URLs of OCSP responders and of the issuer's certificate. Empty lists if the extension is absent, malformed or present twice. */
export function authorityInformation({ extensions }: Pick<Certificate, 'extensions'>): AuthorityInformation {
  const all = decoded(extensions, AUTHORITY_INFORMATION_ACCESS, readAccessDescriptions) ?? []
  const urls = (method: string): string[] =>
    all.flatMap((each) =>
      each.method === method && each.location.kind === 'uri' ? [each.location.contents.toString('latin1')] : [],
    )
  return { ocsp: urls(OCSP), caIssuers: urls(CA_ISSUERS) }
}

/** Reads the elements of authorityInfoAccess (RFC 5280, section 4.2.2.1). @throws MalformedError */
export function readAccessDescriptions(reader: DerReader): AccessDescription[] {
  const all: AccessDescription[] = []
  for (const list = reader.enter(SEQUENCE); list.more; ) {
    const inside = list.enter(SEQUENCE)
    all.push({ method: readOid(inside), location: readGeneralName(inside) })
    inside.finish()
  }
  return all
}

/** The URLs of CRLs. @returns an empty list if the extension is absent, malformed or present twice */
export function crlDistributionPoints({ extensions }: Pick<Certificate, 'extensions'>): readonly string[] {
  const names = decoded(extensions, CRL_DISTRIBUTION_POINTS, (reader) => {
    const all: GeneralName[] = []
    for (const points = reader.enter(SEQUENCE); points.more; ) {
      const point = points.enter(SEQUENCE)
      const name = point.optional(contextConstructed(0))
      const full = name && point.inside(name)
      const list = full?.optional(contextConstructed(0))
      if (full !== undefined && list !== undefined) all.push(...readGeneralNames(full.inside(list)))
    }
    return all
  })
  return (names ?? []).flatMap((name) => (name.kind === 'uri' ? [name.contents.toString('latin1')] : []))
}

/** Whether the certificate requires its server to staple an OCSP answer (RFC 7633). */
export function mustStaple({ extensions }: Pick<Certificate, 'extensions'>): boolean {
  return tlsFeatures(extensions).includes(STATUS_REQUEST)
}

/** The numbers of the TLS extensions in tlsfeature. */
export function tlsFeatures(extensions: readonly Extension[]): readonly number[] {
  const features = decoded(extensions, TLS_FEATURE, (reader) => {
    const all: number[] = []
    for (const list = reader.enter(SEQUENCE); list.more; ) all.push(readSmallInteger(list))
    return all
  })
  return features ?? []
}

/** @returns the identifier of the subject's key, or undefined if the extension is absent, malformed or present twice */
export function subjectKeyIdentifier({ extensions }: Pick<Certificate, 'extensions'>): Buffer | undefined {
  return decoded(extensions, SUBJECT_KEY_IDENTIFIER, (reader) => reader.contents(reader.next(OCTET_STRING)))
}

/** @returns the identifier of the issuer's key, or undefined if it is absent, malformed or present twice. Renewal information of ACME needs it. */
export function authorityKeyIdentifier({ extensions }: Pick<Certificate, 'extensions'>): Buffer | undefined {
  const found = decoded(extensions, AUTHORITY_KEY_IDENTIFIER, (reader) => {
    const inside = reader.enter(SEQUENCE)
    const identifier = inside.optional(contextPrimitive(0))
    return { identifier: identifier && inside.contents(identifier) }
  })
  return found?.identifier
}

/** Decodes the value of an extension completely. @returns undefined if it is absent, malformed or present twice */
export function decoded<T extends object>(
  extensions: readonly Extension[],
  oid: string,
  read: (reader: DerReader) => T,
): T | undefined {
  const value = extensionValue(extensions, oid)
  return value === undefined ? undefined : decodedValue(value, read)
}

/** Decodes the value of one extension completely. @returns undefined if it is malformed */
export function decodedValue<T extends object>(value: Buffer, read: (reader: DerReader) => T): T | undefined {
  const result = orMalformed(() => {
    const reader = new DerReader(value)
    const all = read(reader)
    reader.finish()
    return all
  })
  return isMalformed(result) ? undefined : result
}
