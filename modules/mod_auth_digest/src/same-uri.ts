import type { Request } from '@gatewright/api'
import { type UriParts, unescapeUri, uriParts } from './uri-parts.ts'

/**
 * `same-without-query` applies only if AuthDigestEnableQueryStringHack is set; `unreadable` means an invalid
 * URI.
 */
export type UriMatch = 'same' | 'same-without-query' | 'different' | 'unreadable'

/** Port of a URI without one. */
const DEFAULT_PORT = 80

/** The target of a request as the client sent it. */
export function targetOf(request: Request): string {
  const { requestLine } = request
  const start = requestLine.indexOf(' ') + 1
  const end = requestLine.indexOf(' ', start)
  return end < 0 ? requestLine.slice(start) : requestLine.slice(start, end)
}

/**
 * Compares the URI that a client has signed with the URI of its request. Proxies may rewrite the latter, so
 * escapes are decoded, and host and port are compared by meaning.
 * @param request the request that the client sent, before internal redirects
 */
export function compareUri(uri: string, request: Request): UriMatch {
  const target = targetOf(request)
  if (uri === target) return 'same'
  const given = uriParts(uri)
  if (given === undefined) return 'unreadable'
  if (!samePlace(given, target, request) || given.path !== request.uri) return 'different'
  const query = request.args === null ? null : unescapeUri(request.args)
  if (given.query === query) return 'same'
  return given.query === null && request.env.has('AuthDigestEnableQueryStringHack') ? 'same-without-query' : 'different'
}

function samePlace({ host, port }: UriParts, target: string, request: Request): boolean {
  if (host === null) return true
  const requested = target.startsWith('/') ? undefined : uriParts(target)
  const requestedPort = requested?.port ?? request.serverPort()
  if ((port ?? (host === '' ? requestedPort : DEFAULT_PORT)) !== requestedPort) return false
  return host === '' || host.toLowerCase() === (requested?.host || request.serverName()).toLowerCase()
}
