import { HTTP_UNAUTHORIZED, type Outcome, type Request } from '@gatewright/api'
import { escapeQuotes } from '@gatewright/api/text'

/** Responds with 401 and the challenge for a realm. */
export function challenge(request: Request, realm: string): Outcome {
  noteChallenge(request, realm)
  return HTTP_UNAUTHORIZED
}

/** Adds the challenge to a 401 response; an internal redirect to an error document keeps it. */
export function noteChallenge(request: Request, realm: string): void {
  // A client that uses this server as a proxy has credentials for it beside those for the other server.
  const name = request.proxyRequest === 'forward' ? 'Proxy-Authenticate' : 'WWW-Authenticate'
  request.errHeadersOut.set(name, `Basic realm="${escapeQuotes(realm)}"`)
}
