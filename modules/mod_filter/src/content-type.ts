import type { Request } from '@gatewright/api'

/** Whether a response is of a media type. Its parameters do not count, nor the case of its letters; those of `type` do, as in httpd. */
export function hasType({ contentType }: Request, type: string): boolean {
  if (contentType === null) return false
  const end = contentType.indexOf(';')
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase() === type
}
