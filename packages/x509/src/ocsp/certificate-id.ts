import { createHash } from 'node:crypto'
import type { Certificate } from '../certificate.ts'
import { DerReader } from '../der-reader.ts'
import { BIT_STRING, contextConstructed, INTEGER, OCTET_STRING, SEQUENCE } from '../der-tags.ts'
import { readOid } from '../der-values.ts'
import { derNull, derOctets, derOid, derSequence, derValue } from '../der-writer.ts'
import { type Malformed, orMalformed } from '../malformed.ts'

const SHA1 = '1.3.14.3.2.26'

/** How OCSP names a certificate (RFC 6960, section 4.1.1): by hashes of its issuer and its serial. */
export interface CertificateId {
  readonly hash: string
  readonly issuerName: Buffer
  readonly issuerKey: Buffer
  /** The contents of the INTEGER. */
  readonly serial: Buffer
}

/** The identifier that clients of OCSP use, with SHA-1, which all responders know. */
export function certificateIdOf(certificate: Certificate, issuer: Certificate): CertificateId | Malformed {
  return orMalformed(() => ({
    hash: SHA1,
    issuerName: sha1(certificate.issuer.der),
    issuerKey: keyHash(issuer),
    serial: serialOf(certificate),
  }))
}

/** SHA-1 of the bits of a certificate's public key. @throws MalformedError */
export function keyHash({ publicKey }: Pick<Certificate, 'publicKey'>): Buffer {
  const info = new DerReader(publicKey).enter(SEQUENCE)
  info.next(SEQUENCE)
  return sha1(info.contents(info.next(BIT_STRING)).subarray(1))
}

/** @throws MalformedError */
export function readCertificateId(reader: DerReader): CertificateId {
  const inside = reader.enter(SEQUENCE)
  const hash = readOid(inside.enter(SEQUENCE))
  const issuerName = inside.contents(inside.next(OCTET_STRING))
  const issuerKey = inside.contents(inside.next(OCTET_STRING))
  const serial = inside.contents(inside.next(INTEGER))
  inside.finish()
  return { hash, issuerName, issuerKey, serial }
}

export function derCertificateId({ hash, issuerName, issuerKey, serial }: CertificateId): Buffer {
  return derSequence(derSequence(derOid(hash), derNull()), derOctets(issuerName), derOctets(issuerKey), derValue(INTEGER, serial))
}

export function isSameId(one: CertificateId, other: CertificateId): boolean {
  return (
    one.hash === other.hash &&
    one.issuerName.equals(other.issuerName) &&
    one.issuerKey.equals(other.issuerKey) &&
    one.serial.equals(other.serial)
  )
}

/** The contents of the INTEGER. */
function serialOf({ der }: Certificate): Buffer {
  const reader = new DerReader(der).enter(SEQUENCE).enter(SEQUENCE)
  reader.optional(contextConstructed(0))
  return reader.contents(reader.next(INTEGER))
}

function sha1(bytes: Uint8Array): Buffer {
  return createHash('sha1').update(bytes).digest()
}
