import { parseTarget } from '@gatewright/http'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'

/** Of LimitInternalRecursion. */
export const STANDARD_RECURSION_LIMIT = 10

/** What a request within another takes over from it: everything about the client. */
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

/** Gives a request the target of a URI. */
export function setTarget(request: RequestRecord, uri: string): void {
  const target = parseTarget(uri)
  request.unparsedUri = uri
  request.uri = target.error === '' ? target.path : uri
  request.args = target.query
}

/** True, and a line in the log, when a request was redirected too often. Redirects count for the sub-requests of what they lead to as well. */
export function tooManyRedirects(request: RequestRecord, log: CoreLog): boolean {
  const limit = request.server.core.redirectLimit ?? STANDARD_RECURSION_LIMIT
  if (request.redirectDepth < limit) return false
  const text = `Request exceeded the limit of ${limit} internal redirects due to probable configuration error. Use 'LimitInternalRecursion' to increase the limit if necessary. Use 'LogLevel debug' to get a backtrace.`
  log.write(request, 'error', 'AH00124', text)
  return true
}
