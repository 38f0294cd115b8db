import type { Request } from '@gatewright/api'
import type { EtagChange } from './config.ts'

/**
 * Removes the fields that describe the content before it was recoded, and changes its entity tag.
 * @param suffix for the entity tag
 */
export function announceNewRepresentation({ headersOut }: Request, suffix: 'gzip' | 'gunzip', change: EtagChange): void {
  headersOut.unset('Content-Length')
  headersOut.unset('Content-MD5')
  if (change === 'no-change') return
  const etag = headersOut.get('ETag')
  if (etag === undefined) return
  if (change === 'remove') headersOut.unset('ETag')
  else if (etag.length > 2 && etag.endsWith('"')) headersOut.set('ETag', `${etag.slice(0, -1)}-${suffix}"`)
}
