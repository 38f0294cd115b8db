import { DONE, type FilteredBody, OK, type Outcome, type SubResponse } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import { filteredBodyOf } from '../response/bodies/body-of.ts'
import type { FileCache } from '../services/file-cache.ts'

const EMPTY: FilteredBody = new Uint8Array()

/**
 * The result of running a sub-request, for its caller: the response in it, or the status that replaces a
 * response.
 */
export function subResponse(sub: RequestRecord, outcome: Outcome, files: FileCache): SubResponse {
  if (outcome !== OK && outcome !== DONE) return { status: outcome < 0 ? 500 : outcome, contentType: null, body: EMPTY }
  return { status: sub.status, contentType: sub.contentType, body: filteredBodyOf(sub.body, files) }
}
