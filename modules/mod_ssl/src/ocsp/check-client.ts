import { X509Certificate } from 'node:crypto'
import type { Connection, ModuleLog } from '@gatewright/api'
import type { VerifyError } from '../connections/node-tls.ts'
import { type ClientVerdict, TRUSTED_RESULT, verifiedPath } from '../connections/verify-client.ts'
import type { PreparedServer } from '../start/prepare-server.ts'
import { type StatusCheck, statusOf } from './client-status.ts'

const REVOKED: VerifyError = { code: 'CERT_REVOKED', message: 'certificate revoked' }
const FAILED: VerifyError = { code: 'APPLICATION_VERIFICATION', message: 'application verification failure' }

/** Whether SSLOCSPEnable applies to a client that was accepted so far. */
export function needsStatus({ settings }: PreparedServer, verdict: ClientVerdict): boolean {
  const whose = settings.server.ocsp.enable?.whose ?? 'nobody'
  return whose !== 'nobody' && verdict.accepted && verdict.chain.length > 0
}

/**
 * Asks the responders of the client's certificate, and with `SSLOCSPEnable on` of those above it except the root.
 * Whatever is not known to be good is refused, also in a resumed session. It never rejects.
 */
export async function checkStatus(
  prepared: PreparedServer,
  verdict: ClientVerdict,
  connection: Connection,
  log: ModuleLog,
): Promise<ClientVerdict> {
  if (!verdict.accepted) return verdict
  const { chain, result } = verdict
  const refuse = (error: VerifyError): ClientVerdict => ({ accepted: false, chain, error, tooLong: null })
  // The issuer of a certificate that is only tolerated is not known.
  if (result !== TRUSTED_RESULT) return refuse(FAILED)
  const path = verifiedPath(chain, prepared)
  const check = checkOf(prepared, log)
  const checked = check.settings.enable?.whose === 'leaf' ? path.slice(0, 1) : path
  try {
    for (const [index, certificate] of checked.entries()) {
      if (certificate.checkIssued(certificate)) continue
      const status = await statusOf(certificate, path[index + 1], connection, check)
      if (status !== 'good') return refuse(status === 'revoked' ? REVOKED : FAILED)
    }
    return verdict
  } catch (error) {
    log.write(
      connection,
      'crit',
      '',
      `a client's certificate could not be checked: ${error instanceof Error ? error.message : ''}`,
    )
    return refuse(FAILED)
  }
}

const CHECKS = new WeakMap<PreparedServer, StatusCheck>()

function checkOf(prepared: PreparedServer, log: ModuleLog): StatusCheck {
  let check = CHECKS.get(prepared)
  if (check === undefined) {
    const responderCertificates = prepared.responderCertificates.map((pem) => new X509Certificate(pem))
    check = { settings: prepared.settings.server.ocsp, responderCertificates, log }
    CHECKS.set(prepared, check)
  }
  return check
}
