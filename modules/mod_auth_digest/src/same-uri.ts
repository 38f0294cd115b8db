import type { Request } from '@gatewright/api'
import { type UriParts, unescapeUri, uriParts } from './uri-parts.ts'

/** `same`, but only because AuthDigestEnableQueryStringHack is set; or a URI that cannot be read. */
export type UriMatch = 'same' | 'same-without-query' | 'different' | 'unreadable'

/** Port that a URI without one means. */
const DEFAULT_PORT = 80

/** The target of a request as the client sent it. */
export function targetOf(request: Request): string {
  const { requestLine } = request
  const start = requestLine.indexOf(' ') + 1
  const end = requestLine.indexOf(' ', start)
  return end < 0 ? requestLine.slice(start) : requestLine.slice(start, end)
}

/**
 * Compares the URI that a client has put under its hash with that of its request. Proxies may write the latter in other ways, so escapes, host and port
 * are compared by what they mean.
 * @param request what the client sent, not what it was redirected to
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
  const asked = target.startsWith('/') ? undefined : uriParts(target)
  const askedPort = asked?.port ?? request.serverPort()
  if ((port ?? (host === '' ? askedPort : DEFAULT_PORT)) !== askedPort) return false
  return host === '' || host.toLowerCase() === (asked?.host || request.serverName()).toLowerCase()
}
