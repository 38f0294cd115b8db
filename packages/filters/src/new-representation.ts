import type { Request } from '@gatewright/api'

/** How the entity tag of a response changes when its content is recoded. */
export type EtagChange = 'add-suffix' | 'no-change' | 'remove'

/**
 * Removes the fields that describe the content before it was recoded, and changes its entity tag.
 * @param suffix the name of the coding, for the entity tag
 */
export function announceNewRepresentation({ headersOut }: Request, suffix: string, change: EtagChange): void {
  headersOut.unset('Content-Length')
  headersOut.unset('Content-MD5')
  if (change === 'no-change') return
  const etag = headersOut.get('ETag')
  if (etag === undefined) return
  if (change === 'remove') headersOut.unset('ETag')
  else if (etag.length > 2 && etag.endsWith('"')) headersOut.set('ETag', `${etag.slice(0, -1)}-${suffix}"`)
}
