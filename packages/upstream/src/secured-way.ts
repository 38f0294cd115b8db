import { HTTP_INTERNAL_SERVER_ERROR, type Outcome, type ProxyPassing } from '@gatewright/api'
import type { OutgoingTls } from '@gatewright/api/peers'
import type { ConnectRequest } from './pool-options.ts'
import { hostAndPort } from './url-target.ts'
import type { ConnectionWay } from './worker-pools.ts'

const SECURED = /^(?:https|wss|h2):/i

/** Whether the URL of a request is one of TLS. */
export function isSecured({ url }: ProxyPassing): boolean {
  return SECURED.test(url)
}

/** The name that the back end's certificate has to be for: that of the URL, or the one that the client asks for. */
export function securedName(passing: ProxyPassing): string {
  const { request, settings } = passing
  const wanted = settings.preserveHost ? request.hostname : ''
  return wanted === '' ? hostAndPort(passing, 443).host.toLowerCase() : wanted
}

/** How to reach a back end by TLS: directly, or by CONNECT through another proxy. */
export function securedWay(passing: ProxyPassing, tls: OutgoingTls, banner: string): ConnectionWay {
  return tunnelledWay(passing, tls, banner, 443)
}

/** The same for a protocol that no other proxy relays, also in the clear. @param standardPort of URLs without a port */
export function tunnelledWay(
  passing: ProxyPassing,
  tls: OutgoingTls | null,
  banner: string,
  standardPort: number,
): ConnectionWay {
  return passing.remote === null ? { tls } : { tls, through: connectRequest(passing, banner, standardPort) }
}

/**
 * Refuses a request for TLS that the configuration does not want.
 * @param protocol as messages name it
 */
export function notEnabled(
  passing: ProxyPassing,
  address: string,
  hostname: string,
  protocol: string = passing.worker.scheme,
): Outcome {
  passing.note('error', 'AH01961', ' failed to enable ssl support [Hint: if using mod_ssl, see SSLProxyEngine]')
  passing.note('error', 'AH00961', `${protocol}: failed to enable ssl support for ${address} (${hostname})`)
  return HTTP_INTERNAL_SERVER_ERROR
}

function connectRequest(passing: ProxyPassing, banner: string, standardPort: number): ConnectRequest {
  const { host, port } = hostAndPort(passing, standardPort)
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const credentials = passing.remote?.credentials ?? null
  const authorization = credentials === null ? '' : `Proxy-Authorization: ${credentials}\r\n`
  return { authority, head: `CONNECT ${authority} HTTP/1.0\r\n${authorization}Proxy-agent: ${banner}\r\n\r\n` }
}
