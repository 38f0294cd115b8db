import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { VerifyMode } from '../settings.ts'
import type { PreparedServer } from '../start/prepare-server.ts'
import { type VerifyError, verifyError } from './node-tls.ts'

/** httpd's default of SSLVerifyDepth. */
export const DEFAULT_DEPTH = 1
/** SSL_CLIENT_VERIFY of a certificate that SSLVerifyClient optional_no_ca accepted. */
export const GENEROUS = 'GENEROUS'
/** The longest chain that is followed. */
const MOST_CERTIFICATES = 100
/** Errors that SSLVerifyClient optional_no_ca accepts: the issuer is unknown. */
const UNKNOWN_ISSUER: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
const DATES: ReadonlySet<string> = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'])
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
const ANY_PURPOSE = '2.5.29.37.0'

/** Whether the client may continue. */
export type ClientVerdict =
  | {
      readonly accepted: true
      readonly chain: readonly X509Certificate[]
      /** Why OpenSSL does not trust a certificate that SSLVerifyClient optional_no_ca accepts. */
      readonly excused: VerifyError | null
    }
  | {
      readonly accepted: false
      readonly chain: readonly X509Certificate[]
      readonly error: VerifyError
      readonly tooLong: { readonly length: number; readonly allowed: number } | null
    }

/** What certificates of clients are judged by. */
export interface ClientRules {
  readonly verifyClient: VerifyMode
  readonly verifyDepth: number
  /** The server with whose authorities the handshake was made. */
  readonly prepared: PreparedServer
}

/** The rules of a server. */
export function clientRules(prepared: PreparedServer): ClientRules {
  const { verifyClient = 'none', verifyDepth = DEFAULT_DEPTH } = prepared.settings.authentication
  return { verifyClient, verifyDepth, prepared }
}

/** Judges the client's certificate after a handshake. */
export function judgeClient(socket: TLSSocket, { verifyClient, verifyDepth, prepared }: ClientRules): ClientVerdict {
  // A resumed session may have a certificate that a folder asked for.
  const chain = verifyClient === 'none' ? [] : chainOf(socket)
  if (chain.length === 0) return { accepted: true, chain, excused: null }
  const error = verifyError(socket)
  // OpenSSL looks at the length of a chain that leads to a trusted root before it looks at dates.
  const length = error === null || DATES.has(error.code) ? issuersOf(chain, trustedBy(prepared)) : 0
  if (length > verifyDepth) {
    const tooLong = { length: Number.isFinite(length) ? length : verifyDepth + 1, allowed: verifyDepth }
    return { accepted: false, chain, error: { code: 'CERT_CHAIN_TOO_LONG', message: 'certificate chain too long' }, tooLong }
  }
  if (error === null) return { accepted: true, chain, excused: null }
  if (verifyClient === 'optional_no_ca' && UNKNOWN_ISSUER.has(error.code) && isForClients(chain[0])) {
    return { accepted: true, chain, excused: error }
  }
  return { accepted: false, chain, error, tooLong: null }
}

/** OpenSSL reports the last error only, which may hide that the certificate has another purpose. */
function isForClients({ keyUsage }: X509Certificate): boolean {
  // Node calls the extended key usage by this name.
  const purposes: readonly string[] | undefined = keyUsage
  return purposes === undefined || purposes.includes(CLIENT_AUTH) || purposes.includes(ANY_PURPOSE)
}

/**
 * The number of certificates above the client's in its verified chain, which Node does not report; Infinity if the
 * issuers are not at hand, as in a resumed session, which has the client's certificate only.
 */
function issuersOf(chain: readonly X509Certificate[], trusted: readonly X509Certificate[]): number {
  let current = chain[0]
  for (let count = 0; count < MOST_CERTIFICATES; count++) {
    if (current.checkIssued(current)) return count
    const issuer = trusted.find((one) => hasIssued(one, current)) ?? chain.find((one) => hasIssued(one, current))
    if (issuer === undefined) return Number.POSITIVE_INFINITY
    current = issuer
  }
  return Number.POSITIVE_INFINITY
}

function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    return false
  }
}

const TRUSTED = new WeakMap<PreparedServer, readonly X509Certificate[]>()

function trustedBy(prepared: PreparedServer): readonly X509Certificate[] {
  let trusted = TRUSTED.get(prepared)
  if (trusted === undefined) {
    trusted = prepared.authorities.trusted.map((pem) => new X509Certificate(pem))
    TRUSTED.set(prepared, trusted)
  }
  return trusted
}

/** The client's certificate, and those that it sent along. */
function chainOf(socket: TLSSocket): readonly X509Certificate[] {
  const chain: X509Certificate[] = []
  let next = socket.getPeerX509Certificate()
  while (next !== undefined && chain.length < MOST_CERTIFICATES) {
    const previous = chain.at(-1)
    if (previous !== undefined && previous.fingerprint256 === next.fingerprint256) break
    chain.push(next)
    next = next.issuerCertificate
  }
  return chain
}
