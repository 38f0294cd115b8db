import { constants, createHash } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { RotatingSecrets } from '@gatewright/api'
import type { PreparedServer } from '../start/prepare-server.ts'
import { useTicketKeys } from './node-tickets.ts'
import { sessionClients } from './session-clients.ts'
import { rotatingTicketKeys, type TicketKeys, ticketKeyIn } from './ticket-keys.ts'
import { DEFAULT_DEPTH } from './verify-client.ts'

/**
 * The contexts of servers, each made when it is first needed. Processes with the same secrets resume each
 * other's sessions, also after a reload.
 */
export class SecureContexts {
  readonly #contexts = new WeakMap<PreparedServer, SecureContext>()
  readonly #secrets: () => RotatingSecrets

  constructor(secrets: () => RotatingSecrets) {
    this.#secrets = secrets
  }

  of(prepared: PreparedServer): SecureContext {
    let context = this.#contexts.get(prepared)
    if (context === undefined) {
      const { ticketKey } = prepared
      const sessions = sessionIdentity(prepared)
      context = createSecureContext({
        ...prepared.context,
        secureOptions:
          (prepared.context.secureOptions ?? 0) |
          (mayResume(prepared) ? 0 : constants.SSL_OP_NO_TICKET) |
          // A client cannot meet the demand of a folder by a session that it has from elsewhere.
          constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION,
        sessionIdContext: sessions,
      })
      const fixed: TicketKeys | null = ticketKey === null ? null : { current: ticketKeyIn(ticketKey), previous: null }
      const keys = fixed === null ? rotatingTicketKeys(this.#secrets, sessions) : () => fixed
      const clients = sessionClients(prepared)
      useTicketKeys(context, keys, clients === null ? null : () => clients.areAccepted)
      this.#contexts.set(prepared, context)
    }
    return context
  }
}

/**
 * False where a resumed session lacks what its client is to be judged by again: a responder is asked about a certificate
 * by its issuer, which the client may have sent.
 */
export function mayResume({ settings: { authentication, server } }: PreparedServer): boolean {
  const { verifyClient = 'none', verifyDepth = DEFAULT_DEPTH } = authentication
  const isAsked = (server.ocsp.enable?.whose ?? 'nobody') !== 'nobody'
  return verifyClient === 'none' || verifyDepth < 2 || !isAsked
}

/**
 * A session contains the result of verifying its client. It is resumed only where the same rules apply: by a
 * server of this name with the same demands, authorities and revocation lists.
 */
export function sessionIdentity({ id, settings, authorities }: PreparedServer): string {
  const { verifyClient, verifyDepth } = settings.authentication
  const { crlCheck } = settings.server
  const rules = JSON.stringify([id, verifyClient, verifyDepth, crlCheck, authorities.trusted, authorities.revocationLists])
  return createHash('sha256').update(rules).digest('hex').slice(0, 32)
}
