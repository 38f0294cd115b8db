import { STATUS_CODES } from 'node:http'
import { HTTP_INTERNAL_SERVER_ERROR, httpStatus, OK, type Outcome, type Request } from '@gatewright/api'
import type { CgiHead } from './cgi-head.ts'

/** Fields of programs that are this server's, in lower case: about the connection, the length of what it sends, and the status line. */
export const OWN_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'status',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Puts status and fields of a response into the request. */
export function takeHead(request: Request, { status, reason, fields }: CgiHead): void {
  // The page of an error keeps the status of the error, unless the script sets another one.
  if (fields.has('status')) request.status = status
  // Logs show a status that is none; the client gets a 500.
  request.reason = status < 100 || (reason === '' && hasPhrase(status)) ? null : reason
  for (const [name, value] of fields) {
    const key = name.toLowerCase()
    if (OWN_FIELDS.has(key)) continue
    if (key === 'content-type') request.contentType = value
    else if (key === 'set-cookie' || key === 'www-authenticate') request.headersOut.add(name, value)
    else if (key === 'location' || key === 'etag' || key === 'last-modified') request.headersOut.set(name, value)
    else request.headersOut.merge(name, value)
  }
}

/** Whether httpd has a reason phrase for a status: as Node, except for those that no RFC defines. */
function hasPhrase(status: number): boolean {
  return STATUS_CODES[status] !== undefined && status !== 418 && status !== 509
}

/** The response for a head that cannot be parsed: without a body. As in httpd, two fields remain. */
export function takeRefusedHead(request: Request, fields: CgiHead['fields']): void {
  request.status = HTTP_INTERNAL_SERVER_ERROR
  request.contentType = fields.get('content-type') ?? null
  const location = fields.get('location')
  if (location !== undefined) request.headersOut.set('Location', location)
  request.respond('')
}

/** ProxyErrorOverride: a page of this server replaces the response. Its challenge remains, and when to try again. */
export function overridden(request: Request, { status, reason, fields }: CgiHead): Outcome {
  request.headersOut.clear()
  request.contentType = null
  request.status = 200
  request.reason = reason
  const kept = status === 401 ? 'www-authenticate' : status === 503 ? 'retry-after' : ''
  for (const [name, value] of fields) {
    if (name.toLowerCase() === kept) request.errHeadersOut.add(name, value)
  }
  return httpStatus(status)
}

/** Whether the client has what the script would send again: OK, or 304 or 412. A script that sets a status has decided. */
export function conditionsOf(request: Request, { fields }: CgiHead): Outcome {
  if (fields.has('status') || request.method !== 'GET') return OK
  const since = request.headersIn.get('If-Modified-Since')
  if (since !== undefined && !request.headersIn.has('If-None-Match')) {
    const modified = Date.parse(fields.get('last-modified') ?? '')
    // The comparison is false for texts that are no dates.
    return modified <= Date.parse(since) ? httpStatus(304) : OK
  }
  return request.meetsConditions()
}
