import { createHash, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import {
  type Certificate,
  derExtension,
  derImplicit,
  derOid,
  derSequence,
  isMalformed,
  issueAuthority,
  issueCertificate,
  parseCertificate,
  pemText,
} from '@gatewright/x509'

/** A certificate that a test has made, and its key. */
export interface Made {
  readonly certificate: Certificate
  readonly key: KeyObject
  readonly pem: string
  readonly keyPem: string
  readonly x509: X509Certificate
}

export interface Wanted {
  readonly name: string
  readonly issuer?: Made
  readonly hosts?: readonly string[]
  readonly key?: KeyObject
  readonly from?: number
  readonly until?: number
  /** A URL for authorityInfoAccess. */
  readonly issuerUrl?: string
}

const YEAR = 365 * 86_400_000

export function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
}

export function rsaKey(modulusLength: number): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength }).privateKey
}

export function makeAuthority({ key = newKey(), ...wanted }: Wanted): Made {
  return made(issueAuthority({ ...planOf(wanted), key }), key)
}

export function makeCertificate({ key = newKey(), hosts, ...wanted }: Wanted): Made {
  return made(issueCertificate({ ...planOf(wanted), key, hosts: hosts ?? [wanted.name] }), key)
}

/** The same certificate that states to be signed with SHA-1; its signature is then wrong, which lint does not verify. */
export function claimingSha1({ x509, key }: Made): Made {
  const sha256 = derOid('1.2.840.113549.1.1.11')
  const der = Buffer.from(x509.raw)
  for (let at = der.indexOf(sha256); at >= 0; at = der.indexOf(sha256, at + 1)) der[at + sha256.length - 1] = 5
  return made(der, key)
}

function planOf({ name, issuer, from, until, issuerUrl }: Wanted): {
  readonly subject: [['CN', string]]
  readonly notBefore: Date
  readonly notAfter: Date
  readonly serial: Uint8Array
  readonly issuer?: { readonly certificate: Certificate; readonly key: KeyObject }
  readonly extensions?: readonly Buffer[]
} {
  const now = Date.now()
  return {
    subject: [['CN', name]],
    notBefore: new Date(from ?? now - YEAR),
    notAfter: new Date(until ?? now + YEAR),
    serial: createHash('sha256')
      .update(`${name}${now}`)
      .digest()
      .subarray(0, 8)
      .map((byte, index) => (index === 0 ? (byte & 0x7f) | 1 : byte)),
    ...(issuer !== undefined && { issuer: { certificate: issuer.certificate, key: issuer.key } }),
    ...(issuerUrl !== undefined && { extensions: [informationAccess(issuerUrl)] }),
  }
}

function informationAccess(url: string): Buffer {
  const access = derSequence(derOid('1.3.6.1.5.5.7.48.2'), derImplicit(6, Buffer.from(url)))
  return derExtension('1.3.6.1.5.5.7.1.1', derSequence(access))
}

function made(der: Buffer, key: KeyObject): Made {
  const certificate = parseCertificate(der)
  if (isMalformed(certificate)) throw new Error(certificate.malformed)
  return {
    certificate,
    key,
    pem: pemText('CERTIFICATE', der),
    keyPem: pemText('PRIVATE KEY', key.export({ type: 'pkcs8', format: 'der' })),
    x509: new X509Certificate(der),
  }
}
