import { HTTP_UNAUTHORIZED, noteBasicChallenge, type Outcome, type Request } from '@gatewright/api'

/** Responds with 401 and the challenge for a realm. */
export function challenge(request: Request, realm: string): Outcome {
  noteBasicChallenge(request, realm)
  return HTTP_UNAUTHORIZED
}
