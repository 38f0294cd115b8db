import type { Request } from './request.ts'
import { escapeQuotes } from './text/quotes.ts'

/**
 * Adds the challenge of Basic authentication to the response, httpd's `ap_note_basic_auth_failure`. An internal redirect to
 * an error document keeps it.
 * @param realm the AuthName
 * @since 2.4.6
 */
export function noteBasicChallenge(request: Request, realm: string): void {
  // A client that uses this server as a proxy has credentials for it beside those for the other server.
  const name = request.proxyRequest === 'forward' ? 'Proxy-Authenticate' : 'WWW-Authenticate'
  request.errHeadersOut.set(name, `Basic realm="${escapeQuotes(realm)}"`)
}

/**
 * The field in which a client sends its credentials: that for this server, also if it uses the server as a proxy.
 * @since 2.4.6
 */
export function credentialsField(request: Request): string | undefined {
  return request.headersIn.get(request.proxyRequest === 'forward' ? 'Proxy-Authorization' : 'Authorization')
}
