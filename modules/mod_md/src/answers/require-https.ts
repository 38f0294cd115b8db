import { DECLINED, httpStatus, M_GET, type Outcome, type Request } from '@gatewright/api'
import type { ManagedDomain } from '../domains/managed-domain.ts'
import type { Registry } from '../domains/registry.ts'

/** Half a year, as mod_md announces it. */
const HSTS = 'max-age=15768000'
const FIELD = 'Strict-Transport-Security'
const WELL_KNOWN = '/.well-known/'

/** MDRequireHttps: redirects clients of plain HTTP to https, and announces to those of https that it is permanent. */
export function requireHttps(request: Request, registry: Registry, isSecured: (request: Request) => boolean): Outcome {
  if (!registry.demandsHttps(request.server) || request.uri.startsWith(WELL_KNOWN)) return DECLINED
  const md = domainFor(registry.of(request.server), request.serverName())
  if (md === undefined || md.requireHttps === 'off') return DECLINED
  if (isSecured(request)) {
    if (md.requireHttps === 'permanent' && !request.headersOut.has(FIELD)) request.headersOut.set(FIELD, HSTS)
    return DECLINED
  }
  const target = httpsUrl(request)
  if (target === undefined) return DECLINED
  request.headersOut.set('Location', target)
  const isPermanent = md.requireHttps === 'permanent'
  // The newer codes make clients repeat the method.
  if (request.methodNumber === M_GET) return httpStatus(isPermanent ? 301 : 302)
  return httpStatus(isPermanent ? 308 : 307)
}

/** The domain of a name among those of a server; without a match, the only one. */
function domainFor(domains: readonly ManagedDomain[], name: string): ManagedDomain | undefined {
  const lower = name.toLowerCase()
  return domains.find((md) => md.domains.includes(lower)) ?? (domains.length === 1 ? domains[0] : undefined)
}

function httpsUrl(request: Request): string | undefined {
  const url = URL.parse(request.absoluteUrl(request.uri))
  if (url === null) return undefined
  const query = request.args === null || request.args === '' ? '' : `?${request.args}`
  return `https://${url.hostname}${url.pathname}${query}`
}
