import type { TLSSocket } from 'node:tls'
import type { PreparedServer } from '../start/prepare-server.ts'
import { clientChain } from './client-chain.ts'
import { type ClientRules, clientRules, judgeClient } from './verify-client.ts'

/**
 * The clients of a server that asks for certificates, while their handshakes run. A session has the certificate of its
 * client, but not those that the client sent along: the length of the chain cannot be found again. So only clients
 * that are accepted may resume sessions. Node makes sessions before it reports the end of a handshake, and does not
 * say for which client: while one that is refused could be meant, no session can be resumed.
 */
export class SessionClients {
  /** Whether each is accepted; null until its certificate is known. */
  readonly #running = new Map<TLSSocket, boolean | null>()
  readonly #rules: ClientRules

  /** @param rules of the server */
  constructor(rules: ClientRules) {
    this.#rules = rules
  }

  /** Call this before the first handshake of a connection. */
  begin(socket: TLSSocket): void {
    this.#running.set(socket, null)
    // OpenSSL may still make sessions in this turn.
    socket.once('close', () => setImmediate(() => this.end(socket)))
  }

  /** Call this for a client who is refused, and before another handshake, whose client is judged by other rules. */
  refuse(socket: TLSSocket): void {
    this.#running.set(socket, false)
  }

  end(socket: TLSSocket): void {
    this.#running.delete(socket)
  }

  /** Whether a session that is made within this turn is that of a client who is accepted. */
  get areAccepted(): boolean {
    for (const [socket, known] of this.#running) {
      const isAccepted = known ?? this.#judge(socket)
      if (!isAccepted) return false
    }
    return true
  }

  #judge(socket: TLSSocket): boolean {
    // Without a certificate it is not the one whose session is made, or it may have none.
    if (clientChain(socket).length === 0) return true
    const { accepted } = judgeClient(socket, this.#rules)
    this.#running.set(socket, accepted)
    return accepted
  }
}

const CLIENTS = new WeakMap<PreparedServer, SessionClients>()

/** Those of a server; null if it does not ask for certificates. */
export function sessionClients(prepared: PreparedServer): SessionClients | null {
  const rules = clientRules(prepared)
  if (rules.verifyClient === 'none') return null
  let clients = CLIENTS.get(prepared)
  if (clients === undefined) {
    clients = new SessionClients(rules)
    CLIENTS.set(prepared, clients)
  }
  return clients
}
