import type { RequestRecord } from '../model/request-record.ts'

/**
 * The value of Content-Type: AddDefaultCharset adds a character set to plain and HTML texts that name none.
 */
export function contentTypeOf(request: RequestRecord): string | null {
  const type = request.contentType
  if (type === null) return null
  const charset = request.config.core.addDefaultCharset
  if (charset === undefined || charset === null || request.charsetSuppressed) return type
  const bare = type.split(';', 1)[0].trim().toLowerCase()
  if ((bare !== 'text/plain' && bare !== 'text/html') || /;\s*charset\s*=/i.test(type)) return type
  return `${type}; charset=${charset}`
}
