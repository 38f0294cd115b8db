import type { Request } from '@gatewright/api'

/**
 * Whether a response has a media type, regardless of its parameters and its case. As in httpd, `type` must be
 * in lower case.
 */
export function hasType({ contentType }: Request, type: string): boolean {
  if (contentType === null) return false
  const end = contentType.indexOf(';')
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase() === type
}
