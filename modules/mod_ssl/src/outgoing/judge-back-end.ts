import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { LogSubject, ModuleLog } from '@gatewright/api'
import { certificateVariable, isMalformed, namesServer, parseCertificate } from '@gatewright/x509'
import { clientChain } from '../connections/client-chain.ts'
import { logVerification } from '../connections/log-verification.ts'
import { type VerifyError, verifyError } from '../connections/node-tls.ts'
import { DEFAULT_DEPTH, pathOf, servesPurpose, TOO_LONG, UNKNOWN_ISSUER } from '../connections/verify-client.ts'
import type { BackEndRules } from './back-end-rules.ts'

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

/** Why a certificate is not accepted. */
interface Refusal {
  readonly error: VerifyError
  readonly tooLong: { readonly length: number; readonly allowed: number } | null
}

/**
 * Judges a back end after the handshake, and logs what is wrong with it.
 * @param hostname by which it is known, in lower case
 * @returns why it is refused, or null
 */
export function judgeBackEnd(
  socket: TLSSocket,
  rules: BackEndRules,
  hostname: string,
  log: ModuleLog,
  subject: LogSubject,
): string | null {
  const chain = clientChain(socket)
  const refusal = refusalOf(socket, chain, rules)
  if (refusal !== null) {
    logVerification(log, subject, { accepted: false, chain, ...refusal })
    log.write(subject, 'info', 'AH02003', 'SSL Proxy connect failed')
    log.write(subject, 'info', '', 'SSL Library Error: error:0A000086:SSL routines::certificate verify failed')
    return refusal.error.message
  }
  const mismatch = chain.length === 0 ? 'no certificate' : mismatchOf(chain[0], rules, hostname)
  if (mismatch !== null && typeof mismatch !== 'string') log.write(subject, 'info', mismatch.code, mismatch.text)
  return mismatch === null || typeof mismatch === 'string' ? mismatch : mismatch.text
}

/** SSLProxyVerify. As in httpd, `optional` demands as much as `require`: every back end has a certificate. */
function refusalOf(
  socket: TLSSocket,
  chain: readonly X509Certificate[],
  { settings, trusted, revocation }: BackEndRules,
): Refusal | null {
  const { verify = 'none', verifyDepth = DEFAULT_DEPTH } = settings
  if (verify === 'none' || chain.length === 0) return null
  const error = verifyError(socket)
  const isExcused =
    error !== null && verify === 'optional_no_ca' && UNKNOWN_ISSUER.has(error.code) && servesPurpose(chain[0], SERVER_AUTH)
  if (error !== null && !isExcused) return { error, tooLong: null }
  const { path } = pathOf(chain, trusted)
  const revoked = revocation?.errorOf(path, true) ?? null
  if (revoked !== null) return { error: revoked.error, tooLong: null }
  const length = path.length - 1
  return length > verifyDepth ? { error: TOO_LONG, tooLong: { length, allowed: verifyDepth } } : null
}

/** SSLProxyCheckPeerExpire, SSLProxyCheckPeerName, and SSLProxyCheckPeerCN where the name is not checked. */
function mismatchOf(
  certificate: X509Certificate,
  { settings }: BackEndRules,
  hostname: string,
): { readonly code: string; readonly text: string } | null {
  const { checkExpire, checkName, checkCn } = settings
  if (checkExpire !== false && !isTimely(certificate)) return { code: 'AH02004', text: 'SSL Proxy: Peer certificate is expired' }
  const parsed = parseCertificate(certificate.raw)
  if (checkName !== false && (checkCn !== false || checkName === true)) {
    if (!isMalformed(parsed) && namesServer(parsed, hostname)) return null
    return { code: 'AH02411', text: `SSL Proxy: Peer certificate does not match for hostname ${hostname}` }
  }
  if (checkCn !== true) return null
  const name = isMalformed(parsed) ? undefined : certificateVariable(parsed, 'S_DN_CN')
  if (name !== undefined && name.toLowerCase() === hostname) return null
  const text = `SSL Proxy: Peer certificate CN mismatch: Certificate CN: ${name ?? ''} Requested hostname: ${hostname}`
  return { code: 'AH02005', text }
}

function isTimely({ validFromDate, validToDate }: X509Certificate): boolean {
  const now = Date.now()
  return validFromDate.getTime() <= now && validToDate.getTime() >= now
}
