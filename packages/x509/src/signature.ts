import { constants, type KeyObject, verify } from 'node:crypto'
import type { Algorithm } from './algorithm.ts'
import { DerReader } from './der-reader.ts'
import { contextConstructed, SEQUENCE } from './der-tags.ts'
import { readOid, readSmallInteger } from './der-values.ts'
import { isMalformed, orMalformed } from './malformed.ts'

/** Digests of signatures by object identifier; null where it is a part of the algorithm. */
const DIGESTS: ReadonlyMap<string, string | null> = new Map([
  ['1.2.840.113549.1.1.5', 'sha1'],
  ['1.2.840.113549.1.1.14', 'sha224'],
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.1', 'sha1'],
  ['1.2.840.10045.4.3.1', 'sha224'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
  ['1.3.101.112', null],
  ['1.3.101.113', null],
])
const RSA_PSS = '1.2.840.113549.1.1.10'
const MGF1 = '1.2.840.113549.1.1.8'
const PSS_DIGESTS: ReadonlyMap<string, string> = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.4', 'sha224'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
])

/** Whether a key made a signature. False also for an algorithm that is unknown, or that is not one of the key. */
export function isSignatureOf(key: KeyObject, algorithm: Algorithm, signed: Uint8Array, signature: Uint8Array): boolean {
  try {
    if (algorithm.oid === RSA_PSS) {
      const { digest, saltLength } = pssParameters(algorithm)
      return digest !== null && verify(digest, signed, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature)
    }
    const digest = DIGESTS.get(algorithm.oid)
    if (digest === undefined) return false
    const isRsa = key.asymmetricKeyType === 'rsa'
    return verify(digest, signed, isRsa ? { key, padding: constants.RSA_PKCS1_PADDING } : key, signature)
  } catch {
    return false
  }
}

interface PssParameters {
  /** Null where the parameters cannot be read, or where two digests differ. */
  readonly digest: string | null
  readonly saltLength: number
}

/** RSASSA-PSS-params (RFC 4055, section 3.1), with its defaults. */
function pssParameters({ der }: Algorithm): PssParameters {
  const found = orMalformed(() => {
    const reader = new DerReader(der).enter(SEQUENCE)
    readOid(reader)
    if (!reader.more) return { digest: 'sha1', saltLength: 20 }
    const fields = reader.enter(SEQUENCE)
    let [digest, maskDigest, saltLength]: [string | undefined, string | undefined, number] = ['sha1', 'sha1', 20]
    if (fields.more && fields.peek() === contextConstructed(0)) {
      digest = PSS_DIGESTS.get(readOid(fields.enter(contextConstructed(0)).enter(SEQUENCE)))
    }
    if (fields.more && fields.peek() === contextConstructed(1)) {
      const mask = fields.enter(contextConstructed(1)).enter(SEQUENCE)
      maskDigest = readOid(mask) === MGF1 ? PSS_DIGESTS.get(readOid(mask.enter(SEQUENCE))) : undefined
    }
    if (fields.more && fields.peek() === contextConstructed(2)) {
      saltLength = readSmallInteger(fields.enter(contextConstructed(2)))
    }
    return { digest: digest === maskDigest ? (digest ?? null) : null, saltLength }
  })
  return isMalformed(found) ? { digest: null, saltLength: 0 } : found
}
