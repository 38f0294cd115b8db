import type { Request, ResponseStorage, StoredResponse } from '@gatewright/api'
import { type CacheControl, parseCacheControl } from './cache-control.ts'
import { satisfiesConditions } from './conditions.ts'
import type { CacheServerConfig } from './config.ts'
import { fieldOf, matchesVary } from './fields.ts'
import { freshnessOf, STALE_WARNING } from './freshness.ts'
import { takeLock } from './lock.ts'
import type { StaleResponse } from './pending.ts'

/** What storages have for a request. */
export type Lookup =
  | { readonly kind: 'hit'; readonly found: StoredResponse; readonly age: number; readonly warnings: readonly string[] }
  | { readonly kind: 'stale'; readonly stale: StaleResponse }
  /** `origin-decides`: there is one, but not for the conditions of this request. */
  | { readonly kind: 'none' | 'origin-decides' }

/** Looks for the response to a request in storages, in order. */
export async function lookUp(
  request: Request,
  key: string,
  storages: readonly ResponseStorage[],
  asked: CacheControl,
  config: Readonly<CacheServerConfig>,
): Promise<Lookup> {
  for (const storage of storages) {
    const found = await storage.find(request, key)
    if (found === null || (found.head.headerOnly && !request.headerOnly)) continue
    const { fields, requestFields } = found.head
    if (!matchesVary(fields, requestFields, request.headersIn)) continue
    const stated = parseCacheControl(fieldOf(fields, 'Cache-Control'), fieldOf(fields, 'Pragma'))
    const heedsMaxAge = config.ignoresCacheControl !== true
    const { isFresh, age, warnings } = freshnessOf(found.head, stated, asked, heedsMaxAge, request.receivedAt)
    const agrees = satisfiesConditions(request, fields)
    if (agrees && isFresh) return { kind: 'hit', found, age, warnings }
    if (asked.onlyIfCached) continue
    if (!agrees) return { kind: 'origin-decides' }
    // While another request asks the origin, this one gets what there is.
    if (!stated.noCache && takeLock(request, key, config) === 'taken') {
      return { kind: 'hit', found, age, warnings: [...new Set([STALE_WARNING, ...warnings])] }
    }
    return { kind: 'stale', stale: { storage, found, stated } }
  }
  return { kind: 'none' }
}
