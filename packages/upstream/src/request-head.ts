import type { ProxyPassing, Request } from '@gatewright/api'
import { OutgoingFields, ofOneLine } from './outgoing-fields.ts'

/** How the head of a request ends. */
export interface HeadEnd {
  /** `Content-Length: 3`, `Transfer-Encoding: chunked`, or null for a request without a body. */
  readonly framing: string | null
  /** Value of Upgrade, null for none. */
  readonly upgrade: string | null
  readonly keepsConnection: boolean
  /** Value of Expect, null for none. */
  readonly expects: string | null
}

/** Fields that belong to one connection (RFC 9110, section 7.6.1), or that end of head decides about. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Fields of a sub-request that would make a part of a page, or none, of the resource. */
const CONDITIONS: ReadonlySet<string> = new Set([
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
])

/** Where a request goes, as its head shows it. */
export interface HeadTarget {
  /** Path and query, or the whole URL for another proxy. */
  readonly target: string
  /** Host and port of the URL. */
  readonly host: string
  /** For a remote proxy that gets the request; null for none. */
  readonly credentials: string | null
}

/**
 * Parts of the URL for the head of a request.
 * @param asksRemote false if a remote proxy only leads to the backend
 */
export function headTarget({ url, remote }: ProxyPassing, asksRemote: boolean): HeadTarget {
  const start = url.indexOf('://') + 3
  const slash = url.indexOf('/', start)
  const host = slash < 0 ? url.slice(start) : url.slice(start, slash)
  const path = slash < 0 ? '/' : url.slice(slash)
  const isWhole = remote !== null && asksRemote
  return { target: isWhole ? url : path, host, credentials: isWhole ? remote.credentials : null }
}

/** Builds the head of the request to a backend. */
export function requestHead(passing: ProxyPassing, to: HeadTarget, end: HeadEnd): string {
  const { request } = passing
  const is10 = request.env.has('force-proxy-request-1.0')
  const lines = [
    request.method,
    ' ',
    to.target,
    is10 ? ' HTTP/1.0\r\nHost: ' : ' HTTP/1.1\r\nHost: ',
    ofOneLine(outgoingHost(passing, to)),
    '\r\n',
  ]
  const fields = outgoingFields(passing)
  if (to.credentials !== null) fields.add('Proxy-Authorization', to.credentials)
  fields.addTo(lines)
  if (end.expects !== null) lines.push('Expect: ', end.expects, '\r\n')
  if (end.framing !== null) lines.push(end.framing, '\r\n')
  if (end.upgrade !== null) lines.push('Upgrade: ', end.upgrade, '\r\nConnection: Upgrade\r\n\r\n')
  else if (is10) lines.push('\r\n')
  else lines.push(end.keepsConnection ? 'Connection: Keep-Alive\r\n\r\n' : 'Connection: close\r\n\r\n')
  // A text of many parts would be copied twice.
  return lines.join('')
}

/** The host that a backend is asked for: that of the URL, or the client's (ProxyPreserveHost). */
export function outgoingHost(passing: ProxyPassing, { host }: Pick<HeadTarget, 'host'>): string {
  const { request, settings } = passing
  if (!settings.preserveHost) return host
  const sent = request.headersIn.get('Host')
  if (sent !== undefined) return sent
  const name = request.server.serverName
  const text = `no HTTP 0.9 request (with no host line) on incoming request and preserve host set forcing hostname to be ${name} for uri ${request.uri}`
  passing.note('warn', 'AH01092', text)
  return name
}

/** The fields of a request to a backend: those of the client that are passed on, and this server's own. */
export function outgoingFields({ request, settings }: ProxyPassing): OutgoingFields {
  const fields = relayedFields(request)
  addVia(request, settings.via, fields)
  if (settings.addHeaders && request.proxyRequest === 'reverse') addForwarded(request, fields)
  return fields
}

/** The fields of the client that are passed on. */
function relayedFields(request: Request): OutgoingFields {
  const dropped = namedByConnection(request)
  const fields = new OutgoingFields()
  for (const [name, value] of request.headersIn) {
    const key = name.toLowerCase()
    if (OWN_FIELDS.has(key) || dropped?.has(key) === true) continue
    if (request.main !== null && CONDITIONS.has(key)) continue
    // The credentials were for this server.
    if (key === 'proxy-authorization' && request.user !== null && !request.env.has('Proxy-Chain-Auth')) continue
    fields.add(name, value, key)
  }
  return fields
}

function namedByConnection({ headersIn }: Request): ReadonlySet<string> | null {
  const options = headersIn.get('Connection')
  return options === undefined ? null : new Set(options.split(',').map((option) => option.trim().toLowerCase()))
}

function addVia(request: Request, via: ProxyPassing['settings']['via'], fields: OutgoingFields): void {
  if (via === 'off') return
  if (via === 'block') {
    fields.delete('via')
    return
  }
  fields.add('Via', viaOf(request, via))
}

/**
 * This server in a Via field. The name that a client uses may be that of the backend: the server has its own.
 */
export function viaOf(request: Request, via: 'on' | 'full'): string {
  const { server, version } = request
  const given = request.serverName()
  const name = given === request.hostname ? server.serverName : given
  const port = request.serverPort()
  const portText = port === (request.scheme === 'https' ? 443 : 80) ? '' : `:${port}`
  const product = via === 'full' ? ' (Apache/2.4.71)' : ''
  return `${Math.trunc(version / 1000)}.${version % 1000} ${name}${portText}${product}`
}

function addForwarded(request: Request, fields: OutgoingFields): void {
  fields.add('X-Forwarded-For', request.useragentAddress)
  const host = request.headersIn.get('Host')
  if (host !== undefined) fields.add('X-Forwarded-Host', host)
  fields.add('X-Forwarded-Server', request.server.serverName)
}
