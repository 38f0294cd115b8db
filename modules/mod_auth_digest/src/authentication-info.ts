import type { Request } from '@gatewright/api'
import { escapeQuotes } from '@gatewright/api/text'
import { type Challenger, timeOf } from './challenger.ts'
import type { Proof } from './check-user.ts'
import { type DigestConfig, lifetimeOf } from './config.ts'
import { serverProof } from './response.ts'

/** If a nonce expires within this time (microseconds), the response contains the next one. */
const SOON = 30e6

/** Adds Authentication-Info (RFC 7616 section 3.5) to the response for an authenticated client. */
export function addAuthenticationInfo(
  request: Request,
  { credentials, realm, stored, moment, client }: Proof,
  config: Readonly<DigestConfig>,
  challenger: Challenger,
): void {
  const { cnonce, count, qop, opaque } = credentials
  const lifetime = lifetimeOf(config)
  const needsNext = lifetime === 0 || (lifetime > 0 && timeOf(request) - moment > lifetime * 1e6 - SOON)
  const next = needsNext ? `, nextnonce="${challenger.newNonce({ request, config, realm, opaque }, opaque, client)}"` : ''
  request.headersOut.merge(
    'Authentication-Info',
    `rspauth="${serverProof(credentials, stored)}"${next}, cnonce="${escapeQuotes(cnonce)}", nc=${count}, qop=${qop ?? ''}`,
  )
}
