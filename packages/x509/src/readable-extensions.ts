import type { Certificate } from './certificate.ts'
import type { DerReader } from './der-reader.ts'
import { SEQUENCE } from './der-tags.ts'
import {
  AUTHORITY_KEY_IDENTIFIER,
  BASIC_CONSTRAINTS,
  basicConstraints,
  CRL_DISTRIBUTION_POINTS,
  decoded,
  EXTENDED_KEY_USAGE,
  extendedKeyUsage,
  KEY_USAGE,
  keyUsage,
  SUBJECT_ALT_NAME,
  SUBJECT_KEY_IDENTIFIER,
  subjectKeyIdentifier,
} from './extension-values.ts'
import { readGeneralNames } from './general-name.ts'

const NAME_CONSTRAINTS = '2.5.29.30'

/** Extensions that decide about the use of a certificate, and whether each can be read where it is present. */
const READABLE: readonly (readonly [oid: string, isReadable: (certificate: Certificate) => boolean])[] = [
  [BASIC_CONSTRAINTS, (certificate) => basicConstraints(certificate) !== undefined],
  // RFC 5280, section 4.2.1.3: at least one bit is set.
  [KEY_USAGE, (certificate) => (keyUsage(certificate) ?? []).length > 0],
  [EXTENDED_KEY_USAGE, (certificate) => extendedKeyUsage(certificate) !== undefined],
  [SUBJECT_KEY_IDENTIFIER, (certificate) => subjectKeyIdentifier(certificate) !== undefined],
  [AUTHORITY_KEY_IDENTIFIER, isSequence(AUTHORITY_KEY_IDENTIFIER)],
  [
    SUBJECT_ALT_NAME,
    ({ extensions }) => decoded(extensions, SUBJECT_ALT_NAME, (reader) => readGeneralNames(reader.enter(SEQUENCE))) !== undefined,
  ],
  [NAME_CONSTRAINTS, isSequence(NAME_CONSTRAINTS)],
  [CRL_DISTRIBUTION_POINTS, isSequence(CRL_DISTRIBUTION_POINTS)],
]

/**
 * Whether the extensions that decide about the use of a certificate can be decoded, and none of them is present twice. With one
 * that cannot, OpenSSL neither finds an issuer of the certificate nor takes it for one.
 */
export function hasReadableExtensions(certificate: Certificate): boolean {
  const present = new Set(certificate.extensions.map(({ oid }) => oid))
  return READABLE.every(([oid, isReadable]) => !present.has(oid) || isReadable(certificate))
}

/** Whether an extension is a SEQUENCE of complete values. */
function isSequence(oid: string): (certificate: Certificate) => boolean {
  return ({ extensions }) => decoded(extensions, oid, values) !== undefined
}

function values(reader: DerReader): object {
  const list = reader.enter(SEQUENCE)
  const found: object[] = []
  while (list.more) found.push(list.next())
  return found
}
