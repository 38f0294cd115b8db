import { performance } from 'node:perf_hooks'
import { type ConnectionSettings, checkHost, type HttpEngine, parseTarget, type Refusal } from '@gatewright/http'
import { type HeaderFields, HTTP_1_1, logLine } from '@gatewright/http/messages'
import type { StreamRequest } from './exchange.ts'
import { parsePriority, UNSTATED } from './priority.ts'
import type { RequestHead } from './request-head.ts'
import { newKey, WEB_SOCKET } from './tunnel-head.ts'

/**
 * Makes a request of a header block, as httpd does of one of HTTP/2: a refused one is answered like others.
 * @param isForProxy the target is absolute whatever the scheme
 */
export function streamRequest(
  head: RequestHead,
  endsStream: boolean,
  { strict, methods, limitRequestLine }: ConnectionSettings,
  { hosts }: HttpEngine,
  isForProxy: boolean,
): StreamRequest {
  const { path, protocol } = head
  const isExtended = protocol !== ''
  const tunnel = isExtended ? 'websocket' : head.method === 'CONNECT' ? 'connect' : null
  const isWebSocket = protocol === WEB_SOCKET
  // Handlers see the handshake of HTTP/1.1 (RFC 6455 section 4.1), as in httpd.
  const method = isWebSocket ? 'GET' : head.method
  const fields = head.fields()
  if (isWebSocket) {
    fields.set('Upgrade', WEB_SOCKET)
    fields.set('Connection', 'Upgrade')
    if (!fields.has('sec-websocket-key')) fields.set('Sec-WebSocket-Key', newKey())
  }
  // As in httpd: what passes a request on, or runs a program for it, finds a body of unknown length as in HTTP/1.1.
  if (!endsStream && tunnel === null && head.contentLength < 0) fields.set('Transfer-Encoding', 'chunked')
  const scheme = head.scheme.toLowerCase()
  const isOfHttp = scheme === 'http' || scheme === 'https' || scheme === ''
  const isAbsolute = !isOfHttp || (isForProxy && head.method !== 'CONNECT')
  const target = isAbsolute ? `${head.scheme}://${head.authority ?? fields.get('host') ?? ''}${path}` : targetOf(head)
  const uri = parseTarget(target, isExtended ? '' : method)
  const field = hosts.check(fields, HTTP_1_1, strict)
  const host = isAbsolute && field.refusal === null ? checkHost(fields, HTTP_1_1, strict, uri, scheme) : field
  const unknown = isExtended && !isWebSocket ? refused(501, '', `extended CONNECT for the protocol ${protocol}`) : null
  const refusal = head.refusal ?? unknown ?? judge(uri.fragment !== null, methods?.has(method) === false) ?? host.refusal
  return {
    method,
    target,
    uri,
    requestLine: `${method} ${refusal?.status === 414 && path.length > limitRequestLine ? '(null)' : target} HTTP/2.0`,
    fields,
    hostname: host.hostname,
    hostPort: host.port,
    refusal,
    contentLength: tunnel === null ? head.contentLength : -1,
    hasBody: !endsStream,
    tunnel,
    priority: head.priority === null ? UNSTATED : parsePriority(head.priority),
    bytes: head.bytes,
    receivedAt: Date.now(),
    receivedAtUs: performance.now() * 1000,
  }
}

/** CONNECT without a protocol names its target by the authority. */
function targetOf({ method, path, authority, protocol }: RequestHead): string {
  return method === 'CONNECT' && protocol === '' ? (authority ?? '') : path
}

function judge(hasFragment: boolean, isUnregistered: boolean): Refusal | null {
  if (hasFragment) return refused(400, 'AH02421', 'HTTP Request Line; URI must not contain a fragment')
  if (isUnregistered) return refused(501, 'AH02423', 'HTTP Request Line; Unrecognized HTTP method')
  return null
}

function refused(status: number, code: string, text: string): Refusal {
  return { status, note: '', log: logLine(code, text), silent: false }
}

/** The request of a resource that is pushed: it has those fields of the client's request that describe the client. */
export function pushedRequest(path: string, method: string, fields: HeaderFields, { strict }: ConnectionSettings): StreamRequest {
  const uri = parseTarget(path, method)
  const host = checkHost(fields, HTTP_1_1, strict)
  return {
    method,
    target: path,
    uri,
    requestLine: `${method} ${path} HTTP/2.0`,
    fields,
    hostname: host.hostname,
    hostPort: host.port,
    refusal: uri.error === '' ? host.refusal : refused(400, 'AH03450', `HTTP Request Line; Unable to parse URI: '${path}'`),
    contentLength: -1,
    hasBody: false,
    tunnel: null,
    priority: UNSTATED,
    bytes: 0,
    receivedAt: Date.now(),
    receivedAtUs: performance.now() * 1000,
  }
}
