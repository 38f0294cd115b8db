import { performance } from 'node:perf_hooks'
import { type ConnectionSettings, checkHost, parseTarget, type Refusal } from '@gatewright/http'
import { type HeaderFields, HTTP_1_1, logLine } from '@gatewright/http/messages'
import type { StreamRequest } from './exchange.ts'
import { parsePriority, UNSTATED } from './priority.ts'
import type { RequestHead } from './request-head.ts'

/** Makes a request of a header block, as httpd does of one of HTTP/2: a refused one is answered like others. */
export function streamRequest(head: RequestHead, endsStream: boolean, { strict, methods }: ConnectionSettings): StreamRequest {
  const { method, path, contentLength } = head
  const fields = head.fields()
  const scheme = head.scheme.toLowerCase()
  const isOfHttp = scheme === 'http' || scheme === 'https' || scheme === ''
  const target = !isOfHttp ? `${head.scheme}://${head.authority ?? fields.get('host') ?? ''}${path}` : targetOf(head)
  const uri = parseTarget(target, head.protocol === '' ? method : '')
  const host = checkHost(fields, HTTP_1_1, strict)
  const refusal = head.refusal ?? judge(uri.fragment !== null, isOfHttp, methods?.has(method) === false) ?? host.refusal
  return {
    method,
    target,
    uri,
    requestLine: `${method} ${refusal?.status === 414 ? '(null)' : target} HTTP/2.0`,
    fields,
    hostname: host.hostname,
    hostPort: host.port,
    refusal,
    contentLength,
    hasBody: !endsStream,
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

function judge(hasFragment: boolean, isOfHttp: boolean, isUnregistered: boolean): Refusal | null {
  if (hasFragment) return refused(400, 'AH02421', 'HTTP Request Line; URI must not contain a fragment')
  if (!isOfHttp) return refused(400, 'AH10244', 'the scheme of the request is not http or https')
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
    priority: UNSTATED,
    bytes: 0,
    receivedAt: Date.now(),
    receivedAtUs: performance.now() * 1000,
  }
}
