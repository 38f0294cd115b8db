import { parseTarget } from '@gatewright/http'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'

/** The default of LimitInternalRecursion. */
export const STANDARD_RECURSION_LIMIT = 10

/** Copies what an internal request takes over from its parent: everything about the client. */
export function copyClient(to: RequestRecord, from: RequestRecord): void {
  to.requestLine = from.requestLine
  to.protocol = from.protocol
  to.version = from.version
  to.hostname = from.hostname
  to.namesHost = from.namesHost
  to.hostPort = from.hostPort
  to.useragentAddress = from.useragentAddress
  to.useragentPort = from.useragentPort
  to.clientName = from.clientName
  to.receivedAt = from.receivedAt
  to.receivedAtUs = from.receivedAtUs
  to.logId = from.logId
}

/** Sets the target of a request to a URI. */
export function setTarget(request: RequestRecord, uri: string): void {
  const target = parseTarget(uri)
  request.unparsedUri = uri
  request.uri = target.error === '' ? target.path : uri
  request.args = target.query
}

/**
 * Returns true and logs a line if a request exceeded the limit of redirects. The redirects that led to a
 * sub-request's parent count for the sub-request as well.
 */
export function tooManyRedirects(request: RequestRecord, log: CoreLog): boolean {
  const limit = request.server.core.redirectLimit ?? STANDARD_RECURSION_LIMIT
  if (request.redirectDepth < limit) return false
  const text = `Request exceeded the limit of ${limit} internal redirects due to probable configuration error. Use 'LimitInternalRecursion' to increase the limit if necessary. Use 'LogLevel debug' to get a backtrace.`
  log.write(request, 'error', 'AH00124', text)
  return true
}
