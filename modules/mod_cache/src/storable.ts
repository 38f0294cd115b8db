import type { Request } from '@gatewright/api'
import { parseHttpDate } from '@gatewright/api/text'
import type { CacheControl } from './cache-control.ts'
import type { CacheConfig, CacheServerConfig } from './config.ts'
import { type FieldList, fieldOf, namesIn } from './fields.ts'

/** Statuses of responses that are stored without a stated lifetime. */
const STORED_STATUSES: ReadonlySet<number> = new Set([200, 203, 206, 300, 301, 304])

/** Why a response is not stored, in httpd's words, which logs and X-Cache-Detail show; null if it is. */
export function reasonNotToStore(
  request: Request,
  fields: FieldList,
  control: CacheControl,
  config: Readonly<CacheConfig>,
  server: Readonly<CacheServerConfig>,
  hasStale: boolean,
): string | null {
  const { status } = request
  const expires = fieldOf(fields, 'Expires')
  const expiresMs = expires === undefined ? undefined : parseHttpDate(expires)
  const lastModified = parseHttpDate(fieldOf(fields, 'Last-Modified') ?? '') !== undefined
  const etag = fieldOf(fields, 'ETag') !== undefined
  const hasTime = control.maxAge !== null || control.sMaxAge !== null
  if (!STORED_STATUSES.has(status) && expires === undefined && !hasTime) return `Response status ${status}`
  if (!hasTime && config.storesExpired !== true && expires !== undefined) {
    if (expiresMs === undefined) return `Broken expires header: ${expires}`
    if (expiresMs < request.receivedAt) return 'Expires header already expired; not cacheable'
  }
  const neverFresh = (control.sMaxAge ?? control.maxAge) === 0
  if (config.storesExpired !== true && isStrict(control) && neverFresh && !lastModified && !etag) {
    return 's-maxage or max-age zero and no Last-Modified or Etag; not cacheable'
  }
  const query = server.ignoresQueryString === true ? null : request.args
  if (query !== null && query !== '' && expires === undefined && !hasTime) {
    return 'Query string present but no explicit expiration time'
  }
  if (status === 304 && !hasStale) return 'HTTP Status 304 Not Modified'
  if (status === 200 && !lastModified && !etag && expires === undefined && config.ignoresNoLastMod !== true && !hasTime) {
    return 'No Last-Modified; Etag; Expires; Cache-Control:max-age or Cache-Control:s-maxage headers'
  }
  if (config.storesNoStore !== true && control.noStore) return 'Cache-Control: no-store present'
  if (config.storesPrivate !== true && control.isPrivate) return 'Cache-Control: private present'
  const isShared = control.sMaxAge !== null || control.isPublic || control.mustRevalidate || control.proxyRevalidate
  if (request.headersIn.has('Authorization') && !isShared) return 'Authorization required'
  if (namesIn(fieldOf(fields, 'Vary') ?? '').includes('*')) return "Vary header contains '*'"
  if (request.env.has('no-cache')) return "environment variable 'no-cache' is set"
  if (request.noCache) return 'r->no_cache present'
  return null
}

function isStrict({ mustRevalidate, proxyRevalidate }: CacheControl): boolean {
  return mustRevalidate || proxyRevalidate
}

/**
 * When a response becomes stale: as it states, else by its age or CacheDefaultExpire. Milliseconds since 1970.
 * @param date when it was made
 */
export function expiryOf(fields: FieldList, control: CacheControl, config: Readonly<CacheConfig>, date: number): number {
  const { defaultExpire = 3600, minExpire = 0, maxExpire = 86_400, lastModifiedFactor = 0.1 } = config
  const stated = control.sMaxAge ?? control.maxAge
  if (stated !== null) return date + stated * 1000
  const expires = parseHttpDate(fieldOf(fields, 'Expires') ?? '')
  if (expires !== undefined) return expires
  const lastModified = parseHttpDate(fieldOf(fields, 'Last-Modified') ?? '')
  if (lastModified === undefined) return date + defaultExpire * 1000
  const estimate = Math.max(0, date - lastModified) * lastModifiedFactor
  return date + Math.min(Math.max(estimate, minExpire * 1000), maxExpire * 1000)
}
