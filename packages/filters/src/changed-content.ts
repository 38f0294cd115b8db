import type { Request } from '@gatewright/api'

/** Removes the fields of a response that no longer apply when a filter has changed its content: length, digest and tag. */
export function forgetLengthAndTag({ headersOut }: Request): void {
  headersOut.unset('Content-Length')
  headersOut.unset('Content-MD5')
  headersOut.unset('ETag')
}
