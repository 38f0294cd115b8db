import { httpStatus, M_GET, OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import { meetsConditions } from './conditions.ts'

/**
 * Evaluates the request's conditions against the response that its fields describe: OK, 304 or 412. An error
 * page is sent regardless of the conditions.
 */
export function outcomeOfConditions(request: RequestRecord): Outcome {
  if (request.status !== 200) return OK
  const met = meetsConditions(
    request.headersIn,
    request.methodNumber === M_GET ? 'read' : 'other',
    request.existingHeadersOut?.get('ETag') ?? null,
    request.modifiedMs,
    request.receivedAt,
  )
  return met === 'ok' ? OK : httpStatus(met === 'not-modified' ? 304 : 412)
}
