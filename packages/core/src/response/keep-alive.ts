import type { KeepAliveTerms } from '@gatewright/http'
import { dropsConnection } from '../base/status-lines.ts'
import type { BodyFraming } from '../model/body-framing.ts'
import type { RequestRecord } from '../model/request-record.ts'

/** MaxKeepAliveRequests if it is not set. */
const STANDARD_REQUESTS = 100

/** An object that is filled again for each response, so that a request does not allocate one. */
export type Refilled<T> = { -readonly [K in keyof T]: T[K] }

/**
 * On which terms the configuration lets the connection persist after a response, null if it does not. Whether
 * the client wants it, and can find the end of the body, is up to the exchange.
 * @param terms is filled and returned
 */
export function keepAliveTerms(
  request: RequestRecord,
  framing: BodyFraming,
  terms: Refilled<KeepAliveTerms>,
): KeepAliveTerms | null {
  if (framing.kind === 'close' || framing.kind === 'encoded') return null
  if (dropsConnection(request.status) || request.original.endsConnection) return null
  const { core, keepAliveTimeout } = request.server
  if (core.keepAlive === false) return null
  const limit = core.maxKeepAliveRequests ?? STANDARD_REQUESTS
  const { keepalives } = request.connection
  if (limit > 0 && keepalives >= limit) return null
  // `nokeepalive` is meant for faulty clients and does not apply to proxies.
  if (request.existingEnv?.has('nokeepalive') === true && !request.headersIn.has('Via')) return null
  terms.timeout = Math.floor(keepAliveTimeout / 1000)
  terms.requestsLeft = limit > 0 ? limit - keepalives : Number.POSITIVE_INFINITY
  return terms
}
