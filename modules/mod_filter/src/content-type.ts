import type { Request } from '@gatewright/api'

/**
 * Whether a response has a media type, regardless of its parameters. As in httpd, `type` must be in lower case, and so must
 * the type of a script or backend; mod_mime and ForceType make lower case of theirs.
 */
export function hasType({ contentType }: Request, type: string): boolean {
  if (contentType === null) return false
  const end = contentType.indexOf(';')
  return (end < 0 ? contentType : contentType.slice(0, end)).trim() === type
}
