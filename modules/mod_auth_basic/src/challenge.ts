import { HTTP_UNAUTHORIZED, type Outcome, type Request } from '@gatewright/api'
import { escapeQuotes } from '@gatewright/api/text'

/** Responds with 401 and the challenge for a realm. */
export function challenge(request: Request, realm: string): Outcome {
  noteChallenge(request, realm)
  return HTTP_UNAUTHORIZED
}

/** Adds the challenge to a 401 response; an internal redirect to an error document keeps it. */
export function noteChallenge(request: Request, realm: string): void {
  request.errHeadersOut.set('WWW-Authenticate', `Basic realm="${escapeQuotes(realm)}"`)
}
