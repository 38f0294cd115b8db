import { DECLINED, DONE, HTTP_NOT_FOUND, httpStatus, M_GET, type ModuleLog, type Outcome, type Request } from '@gatewright/api'
import { isDnsName } from '../dns-names.ts'
import { renews } from '../domains/managed-domain.ts'
import type { Registry } from '../domains/registry.ts'
import { HTTP_FILE } from '../drive/answer-challenges.ts'

const PREFIX = '/.well-known/acme-challenge/'
const HTTP_NOT_IMPLEMENTED: Outcome = httpStatus(501)
const HTTP_INTERNAL_SERVER_ERROR: Outcome = httpStatus(500)

/**
 * Answers http-01 before any access rule. A token that this server does not know is 404 on a name whose certificates
 * it obtains itself; all other requests are those of others, as certbot's with --webroot.
 */
export function answerHttpChallenge(request: Request, registry: Registry, log: ModuleLog): Outcome {
  if (!request.uri.startsWith(PREFIX)) return DECLINED
  const token = request.uri.slice(PREFIX.length)
  const { hostname } = request
  if (token === '' || token.includes('/') || !isDnsName(hostname, false)) return DECLINED
  const md = registry.byName(hostname)
  if (md?.challenges !== undefined && !md.challenges.includes('http-01')) return DECLINED
  let answer: string | undefined
  try {
    answer = registry.store.readText('challenges', hostname.toLowerCase(), HTTP_FILE)
  } catch (error) {
    log.write(request, 'error', 'AH10081', `loading challenge ${token} from store`, error instanceof Error ? error : undefined)
    return HTTP_INTERNAL_SERVER_ERROR
  }
  if (answer?.startsWith(`${token}.`) === true) {
    if (request.methodNumber !== M_GET) return HTTP_NOT_IMPLEMENTED
    const sent = request.send('text/plain', answer)
    return sent === DECLINED ? sent : DONE
  }
  return md === undefined || !renews(md) ? DECLINED : HTTP_NOT_FOUND
}
