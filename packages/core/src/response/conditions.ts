import { parseHttpDate } from '@gatewright/api/text'
import { matchesEtag } from '../base/etag.ts'

/** The result of a request's conditions for a response that would be 200. */
export type Precondition = 'ok' | 'not-modified' | 'precondition-failed'

/** The header fields of a request, by lower-case names. */
export interface ConditionFields {
  get(lowerName: string): string | undefined
}

/**
 * Tests If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since in that order. The result is 304
 * only if all of the last two that were sent agree, and neither If-Unmodified-Since nor If-Range was sent:
 * httpd's rule, which is more careful with 304 than RFC 9110 section 13.2.2.
 *
 * @param access `read` for GET and HEAD; other methods never result in 304
 * @param etag the response's ETag with its quotes, null for none
 * @param mtimeMs when the resource was modified; null if unknown, which counts as now
 * @param nowMs when the request was received
 */
export function meetsConditions(
  fields: ConditionFields,
  access: 'read' | 'other',
  etag: string | null,
  mtimeMs: number | null,
  nowMs: number,
): Precondition {
  const ifMatch = fields.get('if-match')
  if (ifMatch !== undefined && !matchesEtag(ifMatch, etag, 'strong')) return 'precondition-failed'

  const ifUnmodifiedSince = fields.get('if-unmodified-since')
  if (ifUnmodifiedSince !== undefined && !unmodifiedSince(ifUnmodifiedSince, mtimeMs, nowMs)) return 'precondition-failed'

  const ifNoneMatch = fields.get('if-none-match')
  if (ifNoneMatch !== undefined) {
    // Parts of a body may be combined only with parts of the same body (RFC 9110 section 13.1.2).
    const comparison = access === 'read' && fields.get('range') === undefined ? 'weak' : 'strong'
    if (!matchesEtag(ifNoneMatch, etag, comparison)) return 'ok'
    if (access === 'other') return 'precondition-failed'
  }

  if (access === 'other' || ifUnmodifiedSince !== undefined) return 'ok'
  if (fields.get('if-range') !== undefined && fields.get('range') !== undefined) return 'ok'
  const ifModifiedSince = fields.get('if-modified-since')
  if (ifModifiedSince === undefined) return ifNoneMatch === undefined ? 'ok' : 'not-modified'
  return notModifiedSince(ifModifiedSince, mtimeMs, nowMs, fields) ? 'not-modified' : 'ok'
}

/**
 * The second of a modification as Last-Modified states it: not later than now. A file from the first moment
 * of 1970 or before has no usable time and counts as modified now, as in httpd.
 */
export function modificationSecond(mtimeMs: number | null, nowMs: number): number {
  return Math.floor((mtimeMs === null || mtimeMs <= 0 || mtimeMs > nowMs ? nowMs : mtimeMs) / 1000)
}

/**
 * Seconds for which a modification time is a weak validator: the file may have been changed again within the
 * same second, by clocks that differ (RFC 9110 section 8.8.2.2).
 */
export const WEAK_DATE_SECONDS = 60

/** A date that cannot be parsed does not count as a condition. */
function unmodifiedSince(date: string, mtimeMs: number | null, nowMs: number): boolean {
  const ms = parseHttpDate(date)
  return ms === undefined || modificationSecond(mtimeMs, nowMs) <= ms / 1000
}

/** A date in the future is ignored, because the client cannot have received it from this server. */
function notModifiedSince(date: string, mtimeMs: number | null, nowMs: number, fields: ConditionFields): boolean {
  const ms = parseHttpDate(date)
  if (ms === undefined) return false
  const second = ms / 1000
  const now = Math.floor(nowMs / 1000)
  const modified = modificationSecond(mtimeMs, nowMs)
  if (second < modified || second > now) return false
  return now - modified >= WEAK_DATE_SECONDS || fields.get('range') === undefined
}
