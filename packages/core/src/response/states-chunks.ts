import type { Table } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'

/**
 * Whether a module states that it sends its body in chunks, by `Transfer-Encoding: chunked`. As in httpd, the body is then
 * sent as it is. HTTP/2 has its own framing, and other codings do not show where a body ends: both are ignored.
 */
export function statesChunks({ exchange, existingErrHeadersOut, existingHeadersOut }: RequestRecord): boolean {
  if (exchange?.isStream !== false) return false
  const codings = [...codingsOf(existingErrHeadersOut), ...codingsOf(existingHeadersOut)]
  return codings.length > 0 && /(?:^|[\s,])chunked\s*$/i.test(codings[codings.length - 1])
}

const NONE: readonly string[] = []

function codingsOf(table: Table | null): readonly string[] {
  return table?.has('Transfer-Encoding') === true ? table.getAll('Transfer-Encoding') : NONE
}
