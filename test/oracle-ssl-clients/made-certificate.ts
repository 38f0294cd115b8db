import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  criticalExtension,
  derBits,
  derBoolean,
  derExplicit,
  derExtension,
  derIa5,
  derImplicit,
  derInteger,
  derNull,
  derOid,
  derSequence,
  derSet,
  derTime,
  derUtf8,
  derValue,
} from '@gatewright/x509'

/** Kinds of keys. */
export const KEY_KINDS = ['p256', 'p384', 'rsa', 'rsa-pss', 'ed25519'] as const
export type KeyKind = (typeof KEY_KINDS)[number] | 'short'

/** A new private key. */
export function newKey(kind: KeyKind): KeyObject {
  if (kind === 'p256') return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
  if (kind === 'p384') return generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey
  if (kind === 'ed25519') return generateKeyPairSync('ed25519').privateKey
  if (kind === 'short') return generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  return generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey
}

/** Attributes of a name: the last part of 2.5.4.N, the tag of the text, and the text. */
export type MadeName = readonly (readonly [attribute: number, tag: 'utf8' | 'bmp' | 'printable', text: string])[]

/** What a certificate states; nothing is checked. */
export interface MadePlan {
  readonly serial: number
  readonly issuer: MadeName
  readonly subject: MadeName
  readonly notBefore: Date
  readonly notAfter: Date
  readonly key: KeyObject
  readonly extensions: readonly Buffer[]
}

const PRINTABLE = 0x13
const BMP = 0x1e

/** Digests of signatures. */
export type MadeDigest = 'sha1' | 'sha256'

/** A signed certificate, DER. */
export function madeCertificate(plan: MadePlan, signer: KeyObject, digest: MadeDigest = 'sha256'): Buffer {
  const { algorithm } = methodOf(signer, digest)
  return signed(
    derSequence(
      derExplicit(0, derInteger(2)),
      derInteger(plan.serial),
      algorithm,
      nameOf(plan.issuer),
      derSequence(derTime(plan.notBefore), derTime(plan.notAfter)),
      nameOf(plan.subject),
      createPublicKey(plan.key).export({ type: 'spki', format: 'der' }),
      ...(plan.extensions.length > 0 ? [derExplicit(3, derSequence(...plan.extensions))] : []),
    ),
    signer,
    digest,
  )
}

/** A signed revocation list, DER. @param extensions of the list */
export function madeList(
  issuer: MadeName,
  signer: KeyObject,
  dates: { readonly from: Date; readonly to: Date },
  serials: readonly number[],
  extensions: readonly Buffer[] = [],
): Buffer {
  const { algorithm } = methodOf(signer)
  const entries = serials.map((serial) => derSequence(derInteger(serial), derTime(dates.from)))
  return signed(
    derSequence(
      derInteger(1),
      algorithm,
      nameOf(issuer),
      derTime(dates.from),
      derTime(dates.to),
      ...(entries.length > 0 ? [derSequence(...entries)] : []),
      ...(extensions.length > 0 ? [derExplicit(0, derSequence(...extensions))] : []),
    ),
    signer,
  )
}

/** basicConstraints. @param pathLength null for none */
export function constraints(isAuthority: boolean, pathLength: number | null): Buffer {
  const length = pathLength === null ? [] : [derInteger(pathLength)]
  return criticalExtension('2.5.29.19', derSequence(...(isAuthority ? [derBoolean(true), ...length] : [])))
}

/** keyUsage. @param bits the first byte of it */
export function usage(bits: number): Buffer {
  return criticalExtension('2.5.29.15', derBits(Buffer.from([bits])))
}

/** extKeyUsage. @param purposes last numbers of 1.3.6.1.5.5.7.3.N; 0 is any */
export function purpose(isCritical: boolean, ...purposes: readonly number[]): Buffer {
  const oids = purposes.map((number) => derOid(number === 0 ? '2.5.29.37.0' : `1.3.6.1.5.5.7.3.${number}`))
  return (isCritical ? criticalExtension : derExtension)('2.5.29.37', derSequence(...oids))
}

/** subjectAltName with mail addresses, host names and a user principal name. */
export function alternatives(mails: readonly string[], hosts: readonly string[], principal: string | null): Buffer {
  const names = [
    ...mails.map((text) => derImplicit(1, Buffer.from(text, 'latin1'))),
    ...hosts.map((text) => derImplicit(2, Buffer.from(text, 'latin1'))),
    ...(principal === null
      ? []
      : [derValue(0xa0, Buffer.concat([derOid('1.3.6.1.4.1.311.20.2.3'), derExplicit(0, derUtf8(principal))]))]),
  ]
  return derExtension('2.5.29.17', derSequence(...names))
}

/** An extension that nobody knows. */
export function unknownExtension(isCritical: boolean, size: number): Buffer {
  return (isCritical ? criticalExtension : derExtension)('1.3.6.1.4.1.55555.1', derIa5('x'.repeat(size)))
}

function nameOf(name: MadeName): Buffer {
  return derSequence(
    ...name.map(([attribute, tag, text]) => derSet(derSequence(derOid(`2.5.4.${attribute}`), textOf(tag, text)))),
  )
}

function textOf(tag: MadeName[number][1], text: string): Buffer {
  if (tag === 'utf8') return derUtf8(text)
  if (tag === 'printable') return derValue(PRINTABLE, Buffer.from(text, 'latin1'))
  return derValue(BMP, Buffer.from(text, 'utf16le').swap16())
}

/** A signed structure, such as a certificate. @param part what is signed */
export function signed(part: Buffer, key: KeyObject, wanted: MadeDigest = 'sha256'): Buffer {
  const { algorithm, digest } = methodOf(key, wanted)
  return derSequence(part, algorithm, derBits(sign(digest, part, key)))
}

/** What a key of a kind signs with: Ed25519 has its own digest. */
function methodOf(
  key: KeyObject,
  digest: MadeDigest = 'sha256',
): { readonly algorithm: Buffer; readonly digest: string | undefined } {
  const isOld = digest === 'sha1'
  if (key.asymmetricKeyType === 'rsa') {
    return { algorithm: derSequence(derOid(`1.2.840.113549.1.1.${isOld ? 5 : 11}`), derNull()), digest }
  }
  if (key.asymmetricKeyType === 'ed25519') return { algorithm: derSequence(derOid('1.3.101.112')), digest: undefined }
  return { algorithm: derSequence(derOid(`1.2.840.10045.4.${isOld ? '1' : '3.2'}`)), digest }
}
