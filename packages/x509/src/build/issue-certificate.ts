import { type KeyObject, randomBytes } from 'node:crypto'
import type { Certificate } from '../certificate.ts'
import { derExplicit, derInteger, derSequence, derTime } from '../der-writer.ts'
import { subjectKeyIdentifier } from '../extension-values.ts'
import {
  acmeIdentifier,
  altNamesExtension,
  authorityConstraints,
  authorityKeyExtension,
  keyIdentifier,
  leafConstraints,
  mustStapleExtension,
  type Purpose,
  purposes,
  subjectKeyExtension,
  tlsUsages,
  usages,
} from './extensions.ts'
import { derName, type NameParts } from './names.ts'
import { publicKeyInfo, signatureAlgorithm, signedStructure } from './signer.ts'

/** An authority: its certificate, and its private key. */
export interface Issuer {
  readonly certificate: Certificate
  readonly key: KeyObject
}

/** What every certificate states. */
export interface CertificatePlan {
  /** The subject's key: a private key if the certificate is to be self-signed, else a public or private one. */
  readonly key: KeyObject
  readonly subject: NameParts
  readonly notBefore: Date
  readonly notAfter: Date
  /** The authority that signs; without it the certificate is self-signed. */
  readonly issuer?: Issuer
  /** The serial, most significant byte first; 16 random bytes unless given. */
  readonly serial?: Uint8Array
  /** More extensions, as `derExtension` and `criticalExtension` write them. */
  readonly extensions?: readonly Buffer[]
}

/** A certificate of a server or client. */
export interface LeafPlan extends CertificatePlan {
  /** Host names in ASCII, IP addresses, mail addresses. */
  readonly hosts: readonly string[]
  /** `serverAuth` unless given. */
  readonly purposes?: readonly Purpose[]
  /** Require OCSP stapling of the server. */
  readonly mustStaple?: true
}

/** A certificate of an authority. */
export interface AuthorityPlan extends CertificatePlan {
  /** How many intermediate authorities may follow; any number unless given. */
  readonly pathLength?: number
}

/** What a tls-alpn-01 certificate states (RFC 8737). */
export interface ChallengePlan {
  readonly key: KeyObject
  /** The name to be validated: a host name or IP address. */
  readonly host: string
  /** SHA-256 of the key authorization. */
  readonly digest: Uint8Array
  /** The present time; the certificate is valid for a week. */
  readonly now: Date
}

const WEEK_MS = 7 * 86_400_000
const NO_EXTENSIONS: readonly Buffer[] = []

/** @returns the DER of a certificate for TLS @throws Error for a name that is not ASCII, or a key that cannot sign certificates */
export function issueCertificate(plan: LeafPlan): Buffer {
  return build(plan, [
    leafConstraints(),
    tlsUsages(plan.key),
    purposes(...(plan.purposes ?? ['serverAuth'])),
    ...(plan.hosts.length > 0 ? [altNamesExtension(plan.hosts)] : []),
    ...(plan.mustStaple ? [mustStapleExtension()] : []),
  ])
}

/** @returns the DER of a certificate that may sign others and revocation lists @throws Error as `issueCertificate` */
export function issueAuthority(plan: AuthorityPlan): Buffer {
  return build(plan, [authorityConstraints(plan.pathLength), usages('keyCertSign', 'cRLSign')])
}

/** @returns the DER of the certificate that answers a tls-alpn-01 challenge @throws Error as `issueCertificate` */
export function acmeChallengeCertificate({ key, host, digest, now }: ChallengePlan): Buffer {
  const plan: CertificatePlan = {
    key,
    subject: [['CN', 'ACME challenge']],
    notBefore: new Date(now.getTime() - WEEK_MS / 7),
    notAfter: new Date(now.getTime() + WEEK_MS),
  }
  return build(plan, [leafConstraints(), altNamesExtension([host]), acmeIdentifier(digest)])
}

function build(plan: CertificatePlan, extensions: readonly Buffer[]): Buffer {
  const { key, issuer, extensions: more = NO_EXTENSIONS } = plan
  const signingKey = issuer?.key ?? key
  const subject = derName(plan.subject)
  const authorityKey = issuer === undefined ? keyIdentifier(key) : subjectKeyIdentifier(issuer.certificate)
  const signedPart = derSequence(
    derExplicit(0, derInteger(2)),
    derInteger(plan.serial ?? randomSerial()),
    signatureAlgorithm(signingKey),
    issuer?.certificate.subject.der ?? subject,
    derSequence(derTime(plan.notBefore), derTime(plan.notAfter)),
    subject,
    publicKeyInfo(key),
    derExplicit(
      3,
      derSequence(
        ...extensions,
        subjectKeyExtension(key),
        ...(authorityKey === undefined ? [] : [authorityKeyExtension(authorityKey)]),
        ...more,
      ),
    ),
  )
  return signedStructure(signedPart, signingKey)
}

/** Positive, not zero, and never shortened. */
function randomSerial(): Buffer {
  const serial = randomBytes(16)
  serial[0] = (serial[0] & 0x7f) | 0x40
  return serial
}
