import type { Request } from '@gatewright/api'
import { parseHttpDate } from '@gatewright/api/text'
import { type FieldList, fieldOf } from './fields.ts'

/** The fields that make a request conditional, and Range, which depends on them. */
export const CONDITION_FIELDS = [
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Range',
  'If-Unmodified-Since',
  'Range',
] as const

/**
 * Whether a stored response satisfies every condition of a request. If it does not, its origin decides (RFC 9110 section
 * 13.2.1). As in httpd, the response counts as modified now, so that the origin decides about dates.
 */
export function satisfiesConditions({ headersIn, receivedAt }: Request, fields: FieldList): boolean {
  const etag = fieldOf(fields, 'ETag') ?? null
  const ifMatch = headersIn.get('If-Match')
  if (ifMatch !== undefined && !listsTag(ifMatch, etag, 'strong')) return false
  const unmodifiedSince = headersIn.get('If-Unmodified-Since')
  if (unmodifiedSince !== undefined && (parseHttpDate(unmodifiedSince) ?? 0) < receivedAt) return false
  const hasRange = headersIn.has('Range')
  const ifNoneMatch = headersIn.get('If-None-Match')
  if (ifNoneMatch !== undefined && !listsTag(ifNoneMatch, etag, hasRange ? 'strong' : 'weak')) return false
  if (headersIn.has('If-Modified-Since')) return false
  const ifRange = headersIn.get('If-Range')
  if (ifRange === undefined || !hasRange) return true
  return ifRange.startsWith('"') ? ifRange === etag : ifRange === fieldOf(fields, 'Last-Modified')
}

/** RFC 9110 section 8.8.3.2. */
function listsTag(list: string, etag: string | null, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true
  if (etag === null || (comparison === 'strong' && etag.startsWith('W/'))) return false
  const opaque = etag.replace(/^W\//, '')
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => (comparison === 'weak' ? tag.replace(/^W\//, '') : tag) === opaque)
}
