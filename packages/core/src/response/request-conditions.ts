import { httpStatus, M_GET, OK, type Outcome } from '@gatewright/api'
import { parseHttpDate } from '@gatewright/api/text'
import type { RequestRecord } from '../model/request-record.ts'
import { meetsConditions } from './conditions.ts'

/**
 * Evaluates the request's conditions against the response that its fields describe: OK, 304 or 412. An error
 * page is sent regardless of the conditions.
 */
export function outcomeOfConditions(request: RequestRecord): Outcome {
  if (request.status !== 200 || request.ignoresConditions) return OK
  const met = meetsConditions(
    request.headersIn,
    request.methodNumber === M_GET ? 'read' : 'other',
    request.existingHeadersOut?.get('ETag') ?? null,
    request.modifiedMs === 0 ? statedModification(request) : request.modifiedMs,
    request.receivedAt,
  )
  return met === 'ok' ? OK : httpStatus(met === 'not-modified' ? 304 : 412)
}

/** The time of a resource that only its field Last-Modified states, as that of a script; 0 for none. */
function statedModification({ existingHeadersOut }: RequestRecord): number {
  const stated = existingHeadersOut?.get('Last-Modified')
  return stated === undefined ? 0 : (parseHttpDate(stated) ?? 0)
}
