import { createHash, type KeyObject } from 'node:crypto'
import { DerReader } from '../der-reader.ts'
import { SEQUENCE } from '../der-tags.ts'
import { readBits } from '../der-values.ts'
import { derBoolean, derImplicit, derInteger, derNamedBits, derOctets, derOid, derSequence } from '../der-writer.ts'
import {
  AUTHORITY_KEY_IDENTIFIER,
  BASIC_CONSTRAINTS,
  EXTENDED_KEY_USAGE,
  KEY_USAGE,
  KEY_USAGES,
  SUBJECT_ALT_NAME,
  SUBJECT_KEY_IDENTIFIER,
  TLS_FEATURE,
} from '../extension-values.ts'
import { derAltNames } from './names.ts'
import { publicKeyInfo } from './signer.ts'

const PURPOSES = { serverAuth: '1.3.6.1.5.5.7.3.1', clientAuth: '1.3.6.1.5.5.7.3.2' }
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31'
const STATUS_REQUEST = 5

/** What a certificate may be used for in TLS. */
export type Purpose = keyof typeof PURPOSES

/** An extension that is not critical. */
export function derExtension(oid: string, value: Uint8Array): Buffer {
  return derSequence(derOid(oid), derOctets(value))
}

/** An extension that verifiers must understand. */
export function criticalExtension(oid: string, value: Uint8Array): Buffer {
  return derSequence(derOid(oid), derBoolean(true), derOctets(value))
}

/** basicConstraints of an authority. @param pathLength how many intermediate authorities may follow; undefined: any number */
export function authorityConstraints(pathLength: number | undefined): Buffer {
  const length = pathLength === undefined ? [] : [derInteger(pathLength)]
  return criticalExtension(BASIC_CONSTRAINTS, derSequence(derBoolean(true), ...length))
}

/** basicConstraints of a certificate that signs no others. */
export function leafConstraints(): Buffer {
  return criticalExtension(BASIC_CONSTRAINTS, derSequence())
}

/** keyUsage. @param usages names of RFC 5280, for instance `digitalSignature` */
export function usages(...names: string[]): Buffer {
  return criticalExtension(KEY_USAGE, derNamedBits(...names.map((name) => KEY_USAGES.indexOf(name))))
}

/** keyUsage for TLS: the old key exchange of RSA needs keyEncipherment. */
export function tlsUsages(key: KeyObject): Buffer {
  return key.asymmetricKeyType === 'rsa' ? usages('digitalSignature', 'keyEncipherment') : usages('digitalSignature')
}

/** extKeyUsage. */
export function purposes(...all: Purpose[]): Buffer {
  return derExtension(EXTENDED_KEY_USAGE, derSequence(...all.map((purpose) => derOid(PURPOSES[purpose]))))
}

/** subjectAltName. @param hosts as `derAltNames` takes them */
export function altNamesExtension(hosts: readonly string[]): Buffer {
  return derExtension(SUBJECT_ALT_NAME, derAltNames(hosts))
}

/** The tlsfeature extension that requires OCSP stapling (RFC 7633). */
export function mustStapleExtension(): Buffer {
  return derExtension(TLS_FEATURE, derSequence(derInteger(STATUS_REQUEST)))
}

/** The extension of a tls-alpn-01 certificate (RFC 8737, section 3). @param digest SHA-256 of the key authorization */
export function acmeIdentifier(digest: Uint8Array): Buffer {
  return criticalExtension(ACME_IDENTIFIER, derOctets(digest))
}

/** subjectKeyIdentifier of a key. */
export function subjectKeyExtension(key: KeyObject): Buffer {
  return derExtension(SUBJECT_KEY_IDENTIFIER, derOctets(keyIdentifier(key)))
}

/** authorityKeyIdentifier. @param identifier of the issuer's key */
export function authorityKeyExtension(identifier: Uint8Array): Buffer {
  return derExtension(AUTHORITY_KEY_IDENTIFIER, derSequence(derImplicit(0, identifier)))
}

/** SHA-1 of the bits of a public key (RFC 5280, section 4.2.1.2, method 1): a name, not a protection. */
export function keyIdentifier(key: KeyObject): Buffer {
  const reader = new DerReader(publicKeyInfo(key)).enter(SEQUENCE)
  reader.next(SEQUENCE)
  return createHash('sha1').update(readBits(reader).bytes).digest()
}
