import { DECLINED, DONE, httpStatus, M_GET, type Outcome, type Request } from '@gatewright/api'
import type { Registry } from '../domains/registry.ts'
import { certificateStatus, domainStatus, statusJson } from './status-json.ts'

export const CERTIFICATE_STATUS = '/.httpd/certificate-status'
const HTTP_NOT_IMPLEMENTED: Outcome = httpStatus(501)

/** The handler md-status: all domains, or the one whose name follows in the path. */
export function answerStatus(request: Request, registry: Registry | null): Outcome {
  if (request.handler !== 'md-status' || registry === null) return DECLINED
  if (request.methodNumber !== M_GET) return HTTP_NOT_IMPLEMENTED
  const name = request.pathInfo.slice(request.pathInfo.lastIndexOf('/') + 1)
  const md = name === '' ? undefined : (registry.domains.find((one) => one.name === name) ?? registry.byName(name))
  const now = Date.now()
  return send(request, md === undefined ? statusJson(registry, now) : domainStatus(registry, md, now))
}

/** The public status of the certificate of a managed domain, before any access rule. */
export function answerCertificateStatus(request: Request, registry: Registry): Outcome {
  if (request.uri !== CERTIFICATE_STATUS || !registry.process.certificateStatus) return DECLINED
  const md = registry.byName(request.hostname)
  if (md === undefined) return DECLINED
  if (request.methodNumber !== M_GET) return HTTP_NOT_IMPLEMENTED
  const sent = send(request, certificateStatus(registry, md))
  return sent === DECLINED ? sent : DONE
}

function send(request: Request, json: unknown): Outcome {
  return request.send('application/json', Buffer.from(JSON.stringify(json, null, 2)))
}
