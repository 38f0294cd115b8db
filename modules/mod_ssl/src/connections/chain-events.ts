import type { X509Certificate } from 'node:crypto'
import {
  basicConstraints,
  type Certificate,
  extendedKeyUsage,
  hasReadableExtensions,
  isMalformed,
  isSameName,
  keyUsage,
  parseCertificate,
} from '@gatewright/x509'
import { isNamedIssuer, isSelfIssued } from './named-issuer.ts'
import type { VerifyError } from './node-tls.ts'

/** A moment of OpenSSL's check of a chain: an error, or a certificate that is good so far. */
export interface ChainEvent {
  readonly error: VerifyError | null
  /** Of the certificate: 0 is the client's. */
  readonly depth: number
}

/** What the check of a chain depends on. */
export interface ChainFacts {
  /** From the client's certificate to its last known issuer, by name; signatures may be wrong. */
  readonly path: readonly X509Certificate[]
  /** How many of them the client sent: the others are trusted. */
  readonly sent: number
  readonly now: number
  /** OpenSSL's last error, which contains what its own level of security demands of keys and digests. */
  readonly reported: VerifyError | null
  /** The first error of revocation lists; null without one. */
  revocation(): ChainEvent | null
}

/** The longest path that is followed. */
const LONGEST_PATH = 100
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
const ERRORS = {
  lone: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' },
  root: { code: 'SELF_SIGNED_CERT_IN_CHAIN', message: 'self-signed certificate in certificate chain' },
  issuer: { code: 'UNABLE_TO_GET_ISSUER_CERT', message: 'unable to get issuer certificate' },
  localIssuer: { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', message: 'unable to get local issuer certificate' },
  leaf: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', message: 'unable to verify the first certificate' },
  critical: { code: 'UNHANDLED_CRITICAL_EXTENSION', message: 'unhandled critical extension' },
  authority: { code: 'INVALID_CA', message: 'invalid CA certificate' },
  purpose: { code: 'INVALID_PURPOSE', message: 'unsuitable certificate purpose' },
  length: { code: 'PATH_LENGTH_EXCEEDED', message: 'path length constraint exceeded' },
  signature: { code: 'CERT_SIGNATURE_FAILURE', message: 'certificate signature failure' },
  early: { code: 'CERT_NOT_YET_VALID', message: 'certificate is not yet valid' },
  late: { code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' },
} as const satisfies Readonly<Record<string, VerifyError>>

/** Errors of OpenSSL's level of security, and the first certificate that can have them. */
const WEAKNESSES: ReadonlyMap<string, number> = new Map([
  ['CA_MD_TOO_WEAK', 0],
  ['CA_KEY_TOO_SMALL', 1],
])

/** Critical extensions that OpenSSL handles. */
const HANDLED: ReadonlySet<string> = new Set([
  ...['15', '17', '19', '30', '31', '32', '33', '36', '37', '54'].map((number) => `2.5.29.${number}`),
  ...['7', '8', '14'].map((number) => `1.3.6.1.5.5.7.1.${number}`),
  '1.3.6.1.5.5.7.48.1.5',
  '2.16.840.1.113730.1.1',
])

/**
 * OpenSSL's check of a client's chain, step by step in its order: the issuers, what each certificate may be used for,
 * revocation lists, and from the root to the client signatures and dates. Node continues after each error and
 * reports the last one; httpd ends at the first that it does not excuse.
 */
export function* chainEvents({ path, sent, now, reported, revocation }: ChainFacts): Generator<ChainEvent> {
  const last = path.length - 1
  const top = path[last]
  const isRooted = isSelfIssued(top)
  if (sent > last) {
    if (isRooted) yield { error: last === 0 ? ERRORS.lone : ERRORS.root, depth: last }
    else yield { error: ERRORS.localIssuer, depth: last }
  } else if (!isRooted) yield { error: ERRORS.issuer, depth: last }
  yield* usageEvents(path)
  const weakness = WEAKNESSES.get(reported?.code ?? '')
  if (reported !== null && weakness !== undefined) yield { error: reported, depth: weakness }
  const revoked = revocation()
  if (revoked !== null) yield revoked
  if (!isRooted && last === 0) yield { error: ERRORS.leaf, depth: 0 }
  for (let depth = isRooted ? last : Math.max(0, last - 1); depth >= 0; depth--) {
    const certificate = path[depth]
    if (depth < last && !isSignedBy(certificate, path[depth + 1])) yield { error: ERRORS.signature, depth }
    if (certificate.validFromDate.getTime() > now) yield { error: ERRORS.early, depth }
    if (certificate.validToDate.getTime() < now) yield { error: ERRORS.late, depth }
    yield { error: null, depth }
  }
}

/**
 * The path of OpenSSL's check: issuers are found by their names and identifiers, whatever they may be used for, and
 * above one that is trusted all must be.
 */
export function namedPath(
  chain: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
): Pick<ChainFacts, 'path' | 'sent'> {
  const path = [chain[0]]
  const isTrusted = trusted.some(({ fingerprint256 }) => fingerprint256 === chain[0].fingerprint256)
  let sent = isTrusted ? 0 : 1
  while (path.length < LONGEST_PATH) {
    const current = path[path.length - 1]
    if (isSelfIssued(current)) break
    const known = trusted.find((one) => isNamedIssuer(one, current))
    const issuer = known ?? (sent === path.length ? chain.find((one) => isNamedIssuer(one, current)) : undefined)
    if (issuer === undefined || path.includes(issuer)) break
    path.push(issuer)
    if (known === undefined) sent++
  }
  return { path, sent }
}

/** What each certificate may be used for. */
function* usageEvents(path: readonly X509Certificate[]): Generator<ChainEvent> {
  let above = 0
  for (const [depth, { raw }] of path.entries()) {
    const certificate = parseCertificate(raw)
    if (isMalformed(certificate)) return
    if (certificate.extensions.some(({ critical, oid }) => critical && !HANDLED.has(oid))) {
      yield { error: ERRORS.critical, depth }
    }
    const isAuthority = mayIssue(certificate)
    if (depth > 0 && !isAuthority) yield { error: ERRORS.authority, depth }
    if (!isForClients(certificate, depth > 0 ? isAuthority : null)) yield { error: ERRORS.purpose, depth }
    const length = basicConstraints(certificate)?.pathLength
    if (depth > 1 && length !== undefined && above > length) yield { error: ERRORS.length, depth }
    if (depth > 0 && !isSameName(certificate.subject, certificate.issuer)) above++
  }
}

/** Without constraints, old certificates may issue others if they signed themselves or name a usage. */
function mayIssue(certificate: Certificate): boolean {
  const usages = keyUsage(certificate)
  if (usages !== undefined && !usages.includes('keyCertSign')) return false
  const constraints = basicConstraints(certificate)
  if (constraints !== undefined) return constraints.ca
  return usages !== undefined || (certificate.version === 1 && isSameName(certificate.subject, certificate.issuer))
}

/** @param isAuthority null for the client's own certificate */
function isForClients(certificate: Certificate, isAuthority: boolean | null): boolean {
  // As for OpenSSL, what cannot be read forbids nothing; no issuer is found for such a certificate.
  if (isAuthority === null && !hasReadableExtensions(certificate)) return true
  if (extendedKeyUsage(certificate)?.includes(CLIENT_AUTH) === false) return false
  if (isAuthority !== null) return isAuthority
  const usages = keyUsage(certificate)
  return usages === undefined || usages.includes('digitalSignature') || usages.includes('keyAgreement')
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.verify(issuer.publicKey)
  } catch {
    return false
  }
}
