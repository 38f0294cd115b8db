import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { publicKeyInfo, signatureAlgorithm, signedStructure } from '../../src/build/signer.ts'
import { derExplicit, derInteger, derOctets, derOid, derSequence, derSet, derTime, derValue } from '../../src/der-writer.ts'

/** A key that signs quickly. */
export const KEY: KeyObject = generateKeyPairSync('ed25519').privateKey

/** What a test wants to be special about a certificate; everything is DER. */
export interface Oddities {
  readonly subject?: Buffer
  readonly issuer?: Buffer
  readonly serial?: Buffer
  readonly notAfter?: Buffer
  readonly extensions?: readonly (readonly [oid: string, value: Buffer])[]
}

/** The DER of a certificate, signed with `KEY`. */
export function madeCertificate({ subject = NAME, issuer = NAME, serial, notAfter, extensions = [] }: Oddities): Buffer {
  const validity = derSequence(derTime(new Date('2020-01-01T00:00:00Z')), notAfter ?? derTime(new Date('2066-01-01T00:00:00Z')))
  const list = extensions.map(([oid, value]) => derSequence(derOid(oid), derOctets(value)))
  const signedPart = derSequence(
    derExplicit(0, derInteger(2)),
    serial ?? derInteger(1),
    signatureAlgorithm(KEY),
    issuer,
    validity,
    subject,
    publicKeyInfo(KEY),
    ...(list.length > 0 ? [derExplicit(3, derSequence(...list))] : []),
  )
  return signedStructure(signedPart, KEY)
}

/** The DER of one attribute of a name. */
export function attribute(oid: string, tag: number, contents: Uint8Array | string): Buffer {
  return derSequence(derOid(oid), derValue(tag, Buffer.from(contents)))
}

/** The DER of a name whose relative names have one attribute each. */
export function nameOf(...attributes: Buffer[]): Buffer {
  return derSequence(...attributes.map((each) => derSet(each)))
}

const NAME: Buffer = nameOf(attribute('2.5.4.3', 0x0c, 'made'))
