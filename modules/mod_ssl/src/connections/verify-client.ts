import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { VerifyMode } from '../settings.ts'
import type { PreparedServer } from '../start/prepare-server.ts'
import { chainEvents, namedPath } from './chain-events.ts'
import { clientChain } from './client-chain.ts'
import { type VerifyError, verifyError } from './node-tls.ts'
import { LIST_ERRORS, NO_LIST, Revocation } from './revocation.ts'

/** httpd's default of SSLVerifyDepth. */
export const DEFAULT_DEPTH = 1
/** The result of a certificate that is trusted, or of none. */
export const TRUSTED_RESULT = 'ok'
/** SSL_CLIENT_VERIFY of a certificate that SSLVerifyClient optional_no_ca accepted. */
export const GENEROUS = 'GENEROUS'
/** The longest path that is followed. */
const LONGEST_PATH = 100
/** Errors that `optional_no_ca` of SSLVerifyClient and SSLProxyVerify accepts: the issuer is unknown. */
export const UNKNOWN_ISSUER: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
const DATES: ReadonlySet<string> = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'])
/** Of a chain that is too long and has no other error. */
export const TOO_LONG: VerifyError = { code: 'CERT_CHAIN_TOO_LONG', message: 'certificate chain too long' }
const SELF_SIGNED: VerifyError = { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' }
/** Errors of OpenSSL before which lists are looked at, or that come of its own look at them. */
const AFTER_LISTS: ReadonlySet<string> = new Set([...DATES, ...LIST_ERRORS])
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'
const ANY_PURPOSE = '2.5.29.37.0'

/** Whether the client may continue. */
export type ClientVerdict =
  | {
      readonly accepted: true
      readonly chain: readonly X509Certificate[]
      /** `ok`, or why OpenSSL does not trust a certificate that SSLVerifyClient optional_no_ca accepts. */
      readonly result: string
    }
  | {
      readonly accepted: false
      readonly chain: readonly X509Certificate[]
      readonly error: VerifyError
      readonly tooLong: { readonly length: number; readonly allowed: number } | null
      /** The error counts for the alert alone: what ends the handshake is that the chain is too long. */
      readonly isExcused?: boolean
    }

/** Why a client may not continue. */
export type RefusedClient = Extract<ClientVerdict, { accepted: false }>

/** What certificates of clients are judged by. */
export interface ClientRules {
  readonly verifyClient: VerifyMode
  readonly verifyDepth: number
  /** OpenSSL's word alone counts: not optional_no_ca, nor no_crl_for_cert_ok. */
  readonly excusesNothing?: boolean
  /** A session that is resumed is that of a client whom these rules accepted. */
  readonly acceptedSessions?: boolean
  /** The server with whose authorities the handshake was made. */
  readonly prepared: PreparedServer
}

/** The rules of a server. */
export function clientRules(prepared: PreparedServer): ClientRules {
  const { verifyClient = 'none', verifyDepth = DEFAULT_DEPTH } = prepared.settings.authentication
  return { verifyClient, verifyDepth, prepared, acceptedSessions: true }
}

const UNREADABLE: VerifyError = { code: 'UNSPECIFIED', message: 'the certificates cannot be checked' }

/**
 * Judges the client's certificate after a handshake. It never throws, because OpenSSL calls it, and what cannot be
 * judged is refused: the client has made its certificates.
 */
export function judgeClient(socket: TLSSocket, rules: ClientRules): ClientVerdict {
  try {
    return judged(socket, rules)
  } catch {
    return { accepted: false, chain: [], error: UNREADABLE, tooLong: null }
  }
}

function judged(
  socket: TLSSocket,
  { verifyClient, verifyDepth, prepared, excusesNothing = false, acceptedSessions = false }: ClientRules,
): ClientVerdict {
  // A resumed session may have a certificate that a folder asked for.
  const chain = verifyClient === 'none' ? [] : clientChain(socket)
  if (chain.length === 0) return { accepted: true, chain, result: TRUSTED_RESULT }
  const error = firstError(verifyError(socket), chain[0])
  const { path, isComplete } = pathOf(chain, trustedBy(prepared))
  const isKnown = !isComplete && acceptedSessions && socket.isSessionReused()
  const refuse = (reason: VerifyError, depth: number, isErrorExcused = false): ClientVerdict => ({
    accepted: false,
    chain,
    error: reason,
    isExcused: isErrorExcused,
    tooLong: depth > verifyDepth ? { length: depth, allowed: verifyDepth } : null,
  })
  const excuses = verifyClient === 'optional_no_ca' && !excusesNothing
  const isExcused = excuses && error !== null && UNKNOWN_ISSUER.has(error.code)
  if (error !== null && !isKnown) {
    const first = firstRefusal(chain, error, prepared, { excuses, excusesMissing: !excusesNothing, verifyDepth })
    if (first !== null) return refuse(first.error, first.depth, first.isExcused)
  }
  // OpenSSL looks at lists, and at the length of a chain that leads to a trusted root, before it looks at dates.
  if (!isKnown && (error === null || AFTER_LISTS.has(error.code) || isExcused)) {
    const revoked = revocationOf(prepared)?.errorOf(path, !excusesNothing) ?? null
    if (revoked !== null) return refuse(revoked.error, revoked.depth)
  }
  if (!isKnown && (error === null || DATES.has(error.code))) {
    const length = isComplete ? path.length - 1 : Math.max(path.length - 1, verifyDepth + 1)
    if (length > verifyDepth) return refuse(TOO_LONG, length)
  }
  if (error === null) return { accepted: true, chain, result: TRUSTED_RESULT }
  if (isExcused && servesPurpose(chain[0], CLIENT_AUTH))
    return { accepted: true, chain, result: excusedResult(error, path, prepared) }
  return refuse(error, 0)
}

/** What the judgement of errors depends on. */
interface Leniency {
  readonly excuses: boolean
  readonly excusesMissing: boolean
  readonly verifyDepth: number
}

/** The error at which httpd ends the check of a chain that OpenSSL does not trust; null if it excuses all. */
function firstRefusal(
  chain: readonly X509Certificate[],
  reported: VerifyError,
  prepared: PreparedServer,
  { excuses, excusesMissing, verifyDepth }: Leniency,
): { readonly error: VerifyError; readonly depth: number; readonly isExcused: boolean } | null {
  const trusted = trustedBy(prepared)
  const { path, sent } = namedPath(chain, trusted)
  const revocation = (): { error: VerifyError; depth: number } | null =>
    revocationOf(prepared)?.errorOf(path, excusesMissing) ?? null
  for (const { error, depth } of chainEvents({ path, sent, now: Date.now(), reported, revocation })) {
    const isRefused = error !== null && !(excuses && UNKNOWN_ISSUER.has(error.code))
    if (isRefused || depth > verifyDepth) {
      return { error: error ?? TOO_LONG, depth, isExcused: error !== null && !isRefused }
    }
  }
  return null
}

/** A verified chain: the client's certificate and its issuers, up to a root where they are at hand. */
export function verifiedPath(chain: readonly X509Certificate[], prepared: PreparedServer): readonly X509Certificate[] {
  return pathOf(chain, trustedBy(prepared)).path
}

/** Of a certificate that signed itself, OpenSSL's last error is that its list is missing. */
function firstError(error: VerifyError | null, certificate: X509Certificate): VerifyError | null {
  return error?.code === NO_LIST.code && isSelfSigned(certificate) ? SELF_SIGNED : error
}

/** OpenSSL reports the last error only, which may hide that the certificate has another purpose. */
export function servesPurpose({ keyUsage }: X509Certificate, purpose: string): boolean {
  // Node calls the extended key usage by this name.
  const purposes: readonly string[] | undefined = keyUsage
  return purposes === undefined || purposes.includes(purpose) || purposes.includes(ANY_PURPOSE)
}

/**
 * The verified chain, which Node does not report: the client's certificate and its issuers, up to a root. Incomplete
 * if they are not at hand, as in a resumed session, which has the client's certificate only.
 */
export function pathOf(
  chain: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
): { readonly path: readonly X509Certificate[]; readonly isComplete: boolean } {
  let current = chain[0]
  const path = [current]
  while (path.length <= LONGEST_PATH) {
    if (isSelfSigned(current)) return { path, isComplete: true }
    const issuer = trusted.find((one) => hasIssued(one, current)) ?? chain.find((one) => hasIssued(one, current))
    if (issuer === undefined) break
    current = issuer
    path.push(current)
  }
  return { path, isComplete: false }
}

function isSelfSigned(certificate: X509Certificate): boolean {
  if (certificate.subject !== certificate.issuer) return false
  try {
    return certificate.verify(certificate.publicKey)
  } catch {
    return false
  }
}

function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    return false
  }
}

/** httpd forgets that an issuer is unknown when it excuses that a list is missing. */
function excusedResult({ code, message }: VerifyError, path: readonly X509Certificate[], prepared: PreparedServer): string {
  const isBeforeLists = code.includes('SELF_SIGNED') || code === 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'
  const isForgotten = isBeforeLists && revocationOf(prepared)?.errorOf(path, false)?.error.code === NO_LIST.code
  return isForgotten ? GENEROUS : message
}

const REVOCATIONS = new WeakMap<PreparedServer, Revocation>()

/** The check of lists. OpenSSL makes its own of whole chains, too. */
function revocationOf(prepared: PreparedServer): Revocation | undefined {
  const { crlCheck } = prepared.settings.server
  const lists = prepared.authorities.revocationLists
  if (crlCheck === undefined || crlCheck.whose === 'nobody') return undefined
  let revocation = REVOCATIONS.get(prepared)
  if (revocation === undefined) {
    revocation = new Revocation(crlCheck, lists)
    REVOCATIONS.set(prepared, revocation)
  }
  return revocation
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
