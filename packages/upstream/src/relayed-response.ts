import { httpStatus, type Outcome, type ProxyPassing, type Request } from '@gatewright/api'
import { viaOf } from './request-head.ts'
import type { ResponseMessage } from './response-message.ts'

/** Fields of a response that belong to the connection to the backend. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const ENDS_IN_CHUNKED = /(?:^|[\s,])chunked\s*$/i

const URLS: ReadonlySet<string> = new Set(['content-location', 'destination', 'location', 'uri'])

/** What changes the URLs and cookies of a response (ProxyPassReverse and its relatives). */
export type FieldMapping = Pick<ProxyPassing, 'mapUrl' | 'mapCookie'>

/** Puts status and fields of a backend's response into the request. */
export function takeHead(passing: ProxyPassing, head: ResponseMessage, mapping: FieldMapping = passing): void {
  const { request, settings } = passing
  request.status = head.status
  request.reason = head.version < 1000 ? 'OK' : head.reason
  const { headersOut } = request
  headersOut.clear()
  const { fields } = head
  const dropped = namedByConnection(fields)
  let cookies: string[] | null = null
  for (let i = 0; i < fields.length; i++) {
    const name = fields.name(i)
    const key = name.toLowerCase()
    if (OWN_FIELDS.has(key) || dropped?.has(key) === true) continue
    const value = fields.value(i)
    if (key === 'content-length') {
      if (head.framing === 'length' && !headersOut.has('Content-Length')) headersOut.set(name, String(head.contentLength))
      continue
    }
    if (key === 'content-type' && !headersOut.has('Content-Type')) request.contentType = value
    if (key === 'set-cookie') (cookies ??= []).push(value)
    else headersOut.add(name, URLS.has(key) ? mapping.mapUrl(value) : value)
  }
  // As in httpd, cookies follow the other fields of the backend.
  if (cookies !== null) for (const cookie of cookies) headersOut.add('Set-Cookie', mapping.mapCookie(cookie))
  if (request.headerOnly && ENDS_IN_CHUNKED.test(fields.get('transfer-encoding') ?? ''))
    headersOut.set('Transfer-Encoding', 'chunked')
  if (settings.via === 'on' || settings.via === 'full') {
    headersOut.add('Via', viaOf(request, settings.via))
  }
}

/** The fields of a backend's message that clients get. */
export function* relayedResponseFields({ fields }: ResponseMessage): Generator<readonly [name: string, value: string]> {
  const dropped = namedByConnection(fields)
  for (const [name, value] of fields) {
    const key = name.toLowerCase()
    if (!OWN_FIELDS.has(key) && dropped?.has(key) !== true) yield [name, value]
  }
}

/** The names in lower case that Connection lists, but those that clients never get; null without any. */
function namedByConnection(fields: ResponseMessage['fields']): ReadonlySet<string> | null {
  if (!fields.has('connection')) return null
  let named: Set<string> | null = null
  for (let i = 0; i < fields.length; i++) {
    if (!fields.isNamed(i, 'connection')) continue
    const value = fields.value(i)
    // This, the most frequent one, names a field that clients never get.
    if (value === 'keep-alive') continue
    for (const option of value.split(',')) {
      const key = option.trim().toLowerCase()
      if (!OWN_FIELDS.has(key)) (named ??= new Set()).add(key)
    }
  }
  return named
}

/** ProxyErrorOverride: a page of this server replaces the response. Its first challenge remains. */
export function overridden(request: Request, head: ResponseMessage): Outcome {
  request.headersOut.clear()
  request.contentType = null
  request.status = 200
  request.reason = head.reason ?? ''
  if (head.status === 401) {
    const challenge = head.fields.get('www-authenticate')
    if (challenge !== undefined) request.errHeadersOut.set('WWW-Authenticate', challenge)
  }
  return httpStatus(head.status)
}

/** Statuses of responses without a body. */
export function hasNoBody(request: Request, { status }: ResponseMessage): boolean {
  return request.headerOnly || status === 204 || status === 304
}
