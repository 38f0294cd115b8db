import type { Request } from '@gatewright/api'
import type { CacheConfig } from './config.ts'

/** What came of a request, as variables and fields name it. */
export type CacheOutcome = 'hit' | 'miss' | 'revalidate' | 'invalidate'

/** Notes the outcome and its reason in the variables of the request, and in the fields that lines ask for. */
export function noteOutcome(request: Request, config: Readonly<CacheConfig>, outcome: CacheOutcome, reason: string): void {
  request.env.set('cache-status', reason)
  request.env.set(`cache-${outcome}`, reason)
  if (outcome === 'invalidate') return
  const { serverName } = request.server
  if (config.cacheHeader === true) request.headersOut.set('X-Cache', `${outcome.toUpperCase()} from ${serverName}`)
  if (config.detailHeader === true) request.headersOut.set('X-Cache-Detail', `"${reason}" from ${serverName}`)
}
