import type { RequestRecord } from '../model/request-record.ts'
import { hasField } from './own-fields.ts'

const NAME = 'Transfer-Encoding'
const ENDS_WITH_CHUNKED = /(?:^|[\s,])chunked\s*$/i

/**
 * Whether a module states that it sends its body in chunks, by `Transfer-Encoding: chunked`. As in httpd, the body is then
 * sent as it is. HTTP/2 has its own framing, and other codings do not show where a body ends: both are ignored.
 */
export function statesChunks(request: RequestRecord): boolean {
  if (request.exchange?.isStream !== false || !hasField(request, NAME)) return false
  const { existingErrHeadersOut: always, existingHeadersOut: normal } = request
  return ENDS_WITH_CHUNKED.test(normal?.getAll(NAME).at(-1) ?? always?.getAll(NAME).at(-1) ?? '')
}
