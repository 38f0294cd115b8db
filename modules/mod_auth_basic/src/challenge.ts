import { HTTP_UNAUTHORIZED, type Outcome, type Request } from '@gatewright/api'
import { escapeQuotes } from '@gatewright/api/text'

/** Answers 401 with the challenge for a realm. */
export function challenge(request: Request, realm: string): Outcome {
  noteChallenge(request, realm)
  return HTTP_UNAUTHORIZED
}

/** Adds the challenge to a 401 answer; it survives an internal redirect to an error document. */
export function noteChallenge(request: Request, realm: string): void {
  request.errHeadersOut.set('WWW-Authenticate', `Basic realm="${escapeQuotes(realm)}"`)
}
