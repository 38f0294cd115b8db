import { type Algorithm, readAlgorithm } from './algorithm.ts'
import { DerReader } from './der-reader.ts'
import { contextConstructed, contextPrimitive, SEQUENCE } from './der-tags.ts'
import { readBits, readInteger, readSmallInteger } from './der-values.ts'
import { type Extension, readExtensions } from './extension.ts'
import { type Malformed, MalformedError, orMalformed } from './malformed.ts'
import { type Name, readName } from './name.ts'
import { serialHex } from './serial.ts'
import { type CertificateTime, readTime } from './time.ts'

/** What an X.509 certificate states (RFC 5280). Functions of this package that take one decode its extensions. */
export interface Certificate {
  /** The complete certificate. */
  readonly der: Buffer
  /** 1, 2 or 3; a number that is not defined is kept. */
  readonly version: number
  /** Upper-case hexadecimal digits, an even number, as SSL_CLIENT_M_SERIAL shows it; negative ones begin with `-`. */
  readonly serial: string
  readonly issuer: Name
  readonly subject: Name
  readonly notBefore: CertificateTime
  readonly notAfter: CertificateTime
  /** The algorithm of the public key. */
  readonly keyAlgorithm: Algorithm
  /** The SubjectPublicKeyInfo, which `createPublicKey` of node:crypto reads as `spki`. */
  readonly publicKey: Buffer
  /** The algorithm of the signature, as the signed part states it. */
  readonly signatureAlgorithm: Algorithm
  readonly extensions: readonly Extension[]
}

/**
 * Parses a certificate. It checks neither signature nor validity.
 * @param der the certificate and nothing else; the result shares its memory
 */
export function parseCertificate(der: Uint8Array): Certificate | Malformed {
  const bytes = Buffer.from(der.buffer, der.byteOffset, der.byteLength)
  return orMalformed(() => {
    const outside = new DerReader(bytes)
    const reader = outside.enter(SEQUENCE)
    outside.finish()
    const certificate = readSignedPart(bytes, reader.enter(SEQUENCE))
    readAlgorithm(reader)
    readBits(reader)
    reader.finish()
    return certificate
  })
}

function readSignedPart(der: Buffer, reader: DerReader): Certificate {
  const version = readVersion(reader)
  const serial = serialHex(readInteger(reader))
  const signatureAlgorithm = readAlgorithm(reader)
  const issuer = readName(reader)
  const validity = reader.enter(SEQUENCE)
  const notBefore = readTime(validity)
  const notAfter = readTime(validity)
  validity.finish()
  const subject = readName(reader)
  const key = reader.next(SEQUENCE)
  const keyReader = reader.inside(key)
  const keyAlgorithm = readAlgorithm(keyReader)
  readBits(keyReader)
  keyReader.finish()
  // Identifiers of issuer and subject, which nothing uses.
  reader.optional(contextPrimitive(1))
  reader.optional(contextPrimitive(2))
  const extensions = readOptionalExtensions(reader)
  reader.finish()
  const publicKey = reader.whole(key)
  return { der, version, serial, issuer, subject, notBefore, notAfter, keyAlgorithm, publicKey, signatureAlgorithm, extensions }
}

function readVersion(reader: DerReader): number {
  const value = reader.optional(contextConstructed(0))
  if (value === undefined) return 1
  const inside = reader.inside(value)
  const version = readSmallInteger(inside) + 1
  inside.finish()
  return version
}

function readOptionalExtensions(reader: DerReader): Extension[] {
  const value = reader.optional(contextConstructed(3))
  if (value === undefined) return []
  const inside = reader.inside(value)
  const extensions = readExtensions(inside)
  inside.finish()
  if (extensions.length === 0) throw new MalformedError('the list of extensions is empty', value.at)
  return extensions
}
