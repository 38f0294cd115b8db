import { type Algorithm, readAlgorithm } from './algorithm.ts'
import { DerReader } from './der-reader.ts'
import { contextConstructed, ENUMERATED, INTEGER, SEQUENCE } from './der-tags.ts'
import { readBits, readInteger, readSmallInteger } from './der-values.ts'
import { type Extension, readExtensions } from './extension.ts'
import { decoded } from './extension-values.ts'
import { type Malformed, orMalformed } from './malformed.ts'
import { type Name, readName } from './name.ts'
import { serialHex } from './serial.ts'
import { type CertificateTime, isTime, readTime } from './time.ts'

const CRL_REASON = '2.5.29.21'
/** The reason of an entry whose reason is malformed: the certificate stays revoked. */
const UNSPECIFIED = 0

/** A certificate revocation list (RFC 5280, section 5). */
export interface Crl {
  /** The complete list. */
  readonly der: Buffer
  readonly version: number
  readonly signatureAlgorithm: Algorithm
  readonly issuer: Name
  readonly thisUpdate: CertificateTime
  /** Undefined if the list does not state when the next one appears. */
  readonly nextUpdate: CertificateTime | undefined
  /** Revoked certificates by serial, in the form of `Certificate.serial`. */
  readonly revoked: ReadonlyMap<string, Revocation>
  readonly extensions: readonly Extension[]
}

/** One entry of a revocation list. */
export interface Revocation {
  readonly date: CertificateTime
  /** The number of the reason (RFC 5280, section 5.3.1); 8 takes the certificate from the list. Undefined if none is stated. */
  readonly reason: number | undefined
}

/** Parses a revocation list. It checks neither signature nor dates. @param der the list and nothing else; the result shares its memory */
export function parseCrl(der: Uint8Array): Crl | Malformed {
  const bytes = Buffer.from(der.buffer, der.byteOffset, der.byteLength)
  return orMalformed(() => {
    const outside = new DerReader(bytes)
    const reader = outside.enter(SEQUENCE)
    outside.finish()
    const crl = readSignedPart(bytes, reader.enter(SEQUENCE))
    readAlgorithm(reader)
    readBits(reader)
    reader.finish()
    return crl
  })
}

function readSignedPart(der: Buffer, reader: DerReader): Crl {
  const version = readVersion(reader)
  const signatureAlgorithm = readAlgorithm(reader)
  const issuer = readName(reader)
  const thisUpdate = readTime(reader)
  const nextUpdate = isTime(reader.peek()) ? readTime(reader) : undefined
  const list = reader.optional(SEQUENCE)
  const revoked = list === undefined ? new Map<string, Revocation>() : readRevoked(reader.inside(list))
  const extensions = readOptionalExtensions(reader)
  reader.finish()
  return { der, version, signatureAlgorithm, issuer, thisUpdate, nextUpdate, revoked, extensions }
}

/** A list without a version has version 1. */
function readVersion(reader: DerReader): number {
  return reader.peek() === INTEGER ? readSmallInteger(reader) + 1 : 1
}

function readRevoked(reader: DerReader): Map<string, Revocation> {
  const revoked = new Map<string, Revocation>()
  while (reader.more) {
    const entry = reader.enter(SEQUENCE)
    const serial = serialHex(readInteger(entry))
    const date = readTime(entry)
    const reason = entry.more ? reasonOf(readExtensions(entry)) : undefined
    entry.finish()
    revoked.set(serial, { date, reason })
  }
  return revoked
}

function reasonOf(extensions: readonly Extension[]): number | undefined {
  if (!extensions.some(({ oid }) => oid === CRL_REASON)) return undefined
  return decoded(extensions, CRL_REASON, (reader) => ({ reason: readSmallInteger(reader, ENUMERATED) }))?.reason ?? UNSPECIFIED
}

function readOptionalExtensions(reader: DerReader): Extension[] {
  const value = reader.optional(contextConstructed(0))
  if (value === undefined) return []
  const inside = reader.inside(value)
  const extensions = readExtensions(inside)
  inside.finish()
  return extensions
}
