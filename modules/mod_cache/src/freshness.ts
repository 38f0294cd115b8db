import type { StoredHead } from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import type { CacheControl } from './cache-control.ts'
import { fieldOf } from './fields.ts'

/** Whether a stored response may be sent without asking its origin, its age in seconds and the warnings that it needs. */
export interface Freshness {
  readonly isFresh: boolean
  readonly age: number
  readonly warnings: readonly string[]
}

export const STALE_WARNING = '110 Response is stale'
const HEURISTIC_WARNING = '113 Heuristic expiration'

/**
 * Compares the age of a stored response with its lifetime and with what the request accepts (RFC 9111 section 4.2).
 * @param asked by the request; its max-age counts only if `heedsMaxAge`
 * @param nowMs when the request was received
 */
export function freshnessOf(
  head: StoredHead,
  stated: CacheControl,
  asked: CacheControl,
  heedsMaxAge: boolean,
  nowMs: number,
): Freshness {
  const age = ageOf(head, nowMs)
  const limits = [stated.sMaxAge ?? stated.maxAge, heedsMaxAge ? asked.maxAge : null].filter((limit) => limit !== null)
  const lifetime = Math.floor((head.expires - head.date) / 1000)
  const limit = limits.length > 0 ? Math.min(...limits) : lifetime
  const isStrict = stated.mustRevalidate || stated.proxyRevalidate || stated.sMaxAge !== null
  const slack = (isStrict ? 0 : (asked.maxStale ?? 0)) - (asked.minFresh ?? 0)
  const isFresh = !stated.noCache && age < limit + slack
  const warnings: string[] = []
  if (age >= limit) warnings.push(STALE_WARNING)
  const isHeuristic = stated.sMaxAge === null && stated.maxAge === null && fieldOf(head.fields, 'Expires') === undefined
  if (isHeuristic && age > DAY) warnings.push(HEURISTIC_WARNING)
  return { isFresh, age, warnings }
}

const DAY = 86_400

/** RFC 9111 section 4.2.3, in seconds. */
function ageOf({ date, requestTime, responseTime, fields }: StoredHead, nowMs: number): number {
  const apparent = Math.max(0, responseTime - date)
  const stated = Math.max(0, leadingInteger(fieldOf(fields, 'Age') ?? '')) * 1000
  const initial = Math.max(apparent, stated) + Math.max(0, responseTime - requestTime)
  return Math.floor((initial + Math.max(0, nowMs - responseTime)) / 1000)
}
