import { randomBytes, type X509Certificate } from 'node:crypto'
import type { Connection, ModuleLog } from '@gatewright/api'
import {
  authorityInformation,
  type BasicResponse,
  type Certificate,
  type CertificateId,
  type CertificateStatus,
  certificateForLog,
  certificateIdOf,
  isMalformed,
  isResponseVerified,
  isSameId,
  isTimely,
  ocspRequest,
  parseCertificate,
  parseOcspResponse,
  type SingleResponse,
} from '@gatewright/x509'
import type { OcspSettings } from '../settings.ts'
import { askResponder, responderOf } from './responder.ts'

const NONCE_BYTES = 16
/** Defaults of SSLOCSPResponderTimeout and SSLOCSPResponseTimeSkew, in seconds. */
const TIMEOUT = 10
const SKEW = 300
const NUMBERS: Readonly<Record<CertificateStatus, number>> = { good: 0, revoked: 1, unknown: 2 }

/** What certificates are checked with. */
export interface StatusCheck {
  readonly settings: Readonly<OcspSettings>
  /** SSLOCSPResponderCertificateFile. */
  readonly responderCertificates: readonly X509Certificate[]
  readonly log: ModuleLog
}

/** The status of one certificate, as far as its responder says so; `unknown` after any failure. */
export async function statusOf(
  leaf: X509Certificate,
  authority: X509Certificate | undefined,
  connection: Connection,
  { settings, responderCertificates, log }: StatusCheck,
): Promise<CertificateStatus> {
  const certificate = parseCertificate(leaf.raw)
  if (isMalformed(certificate)) return 'unknown'
  const fail = (code: string, text: string): CertificateStatus => {
    log.write(connection, 'error', code, `${text}${certificateForLog(certificate, text.length)}`)
    return 'unknown'
  }
  const url = urlFor(certificate, settings)
  if (url === undefined) {
    log.write(connection, 'debug', 'AH01918', 'no OCSP responder specified in certificate and no default configured')
    return settings.enable?.missingIsFine === true ? 'good' : 'unknown'
  }
  const responder = responderOf(url)
  if ('error' in responder) {
    log.write(connection, 'debug', 'AH01919', responder.error)
    return settings.enable?.missingIsFine === true ? 'good' : 'unknown'
  }
  const issuer = authority === undefined ? undefined : parseCertificate(authority.raw)
  const id = issuer === undefined || isMalformed(issuer) ? undefined : certificateIdOf(certificate, issuer)
  if (authority === undefined || id === undefined || isMalformed(id)) return fail('AH01921', 'could not retrieve certificate id')
  const nonce = settings.useNonce === false ? null : randomBytes(NONCE_BYTES)
  const proxy = settings.proxyUrl === undefined ? null : responderOf(settings.proxyUrl)
  if (proxy !== null && 'error' in proxy) return fail('', `SSLOCSPProxyURL: ${proxy.error}`)
  const answer = await askResponder(responder, {
    request: ocspRequest(id, nonce),
    timeout: (settings.timeout ?? TIMEOUT) * 1000,
    proxy,
  })
  if (!Buffer.isBuffer(answer)) {
    const text = `could not connect to OCSP responder '${responder.host}:${responder.port}': ${answer.error}`
    log.write(connection, 'error', 'AH01974', text)
    return 'unknown'
  }
  const response = parseOcspResponse(answer)
  if (isMalformed(response)) {
    log.write(connection, 'error', 'AH01989', `failed to decode OCSP response data: ${response.malformed}`)
    return 'unknown'
  }
  if (response.status !== 0) return fail('AH01922', `OCSP response not successful: ${response.status}`)
  const { basic } = response
  if (basic === undefined) return fail('AH01923', 'could not retrieve OCSP basic response')
  if (nonce !== null && basic.nonce?.equals(nonce) !== true) return fail('AH01924', 'Bad OCSP responder answer (bad nonce)')
  const now = new Date()
  if (settings.noVerify !== true && !isResponseVerified(basic, { issuer: authority, trusted: responderCertificates }, now)) {
    return fail('AH01925', 'failed to verify the OCSP response')
  }
  const single = findStatus(basic, id)
  if (single === undefined) return fail('AH02272', 'failed to retrieve OCSP response status')
  const isPresent = isTimely(single, now, settings.timeSkew ?? SKEW, settings.maxAge ?? null)
  if (single.status !== 'unknown' && !isPresent) return fail('AH02273', 'OCSP response outside validity period')
  const { status, reason = -1 } = single
  const text = `OCSP validation completed, certificate status: ${status} (${NUMBERS[status]}, ${reason})`
  const level = status === 'good' ? 'info' : 'error'
  log.write(connection, level, 'AH03239', `${text}${certificateForLog(certificate, text.length)}`)
  return status
}

/** The status that a response states of a certificate. */
export function findStatus({ responses }: BasicResponse, id: CertificateId): SingleResponse | undefined {
  return responses.find((single) => isSameId(single.id, id))
}

/** The responder that the certificate names, or that of the configuration. */
function urlFor(certificate: Certificate, { defaultResponder, overrideResponder }: Readonly<OcspSettings>): string | undefined {
  if (overrideResponder === true) return defaultResponder
  return authorityInformation(certificate).ocsp[0] ?? defaultResponder
}
