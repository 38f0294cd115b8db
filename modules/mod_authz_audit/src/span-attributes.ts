import type { Request } from '@gatewright/api'

/** Of RFC 9110 and RFC 5789: the semantic conventions write other methods as `_OTHER`. */
const METHODS: ReadonlySet<string> = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'])

/**
 * A decision by the names of OpenTelemetry's semantic conventions for HTTP, so that a collector needs no table of ours.
 * @param host of the request
 * @param path without the query
 */
export function spanAttributes(request: Request, host: string, path: string): Readonly<Record<string, string | number>> {
  const { method, status, useragentAddress, connection, user } = request
  const isKnown = METHODS.has(method)
  return {
    'http.request.method': isKnown ? method : '_OTHER',
    ...(isKnown ? {} : { 'http.request.method_original': method }),
    'http.response.status_code': status,
    'url.path': path,
    'server.address': host,
    'client.address': useragentAddress,
    'network.peer.address': connection.remoteAddress,
    ...(user === null || user === '' ? {} : { 'user.name': user }),
  }
}
