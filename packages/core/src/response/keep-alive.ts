import { dropsConnection } from '../base/status-lines.ts'
import type { BodyFraming } from '../model/body-framing.ts'
import type { RequestRecord } from '../model/request-record.ts'

/** MaxKeepAliveRequests and KeepAliveTimeout if they are not set. */
const STANDARD_REQUESTS = 100
const STANDARD_TIMEOUT = 5000

/** Terms that are filled anew for each response, so that a request does not allocate any. */
export interface ReusedTerms {
  timeout: number
  requestsLeft: number
}

/**
 * On which terms the configuration lets the connection persist after a response, null if it does not. Whether
 * the client wants it, and can find the end of the body, is up to the exchange.
 * @param terms is filled and returned
 */
export function keepAliveTerms(request: RequestRecord, framing: BodyFraming, terms: ReusedTerms): ReusedTerms | null {
  if (framing.kind === 'close' || dropsConnection(request.status) || request.original.endsConnection) return null
  const { core } = request.server
  if (core.keepAlive === false) return null
  const limit = core.maxKeepAliveRequests ?? STANDARD_REQUESTS
  const { keepalives } = request.connection
  if (limit > 0 && keepalives >= limit) return null
  // `nokeepalive` is meant for faulty clients and does not apply to proxies.
  if (request.existingEnv?.has('nokeepalive') === true && !request.headersIn.has('Via')) return null
  terms.timeout = Math.floor((core.keepAliveTimeout ?? STANDARD_TIMEOUT) / 1000)
  terms.requestsLeft = limit > 0 ? limit - keepalives : Number.POSITIVE_INFINITY
  return terms
}
