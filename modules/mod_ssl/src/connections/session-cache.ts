import { Server } from 'node:tls'
import type { SharedStore } from '@gatewright/api'
import type { ClientHello } from '../client-hello.ts'
import type { PreparedServer } from '../start/prepare-server.ts'
import { mayResume, sessionIdentity } from './secure-contexts.ts'
import { sessionClients } from './session-clients.ts'

const TLS_1_3 = 0x0304
/** An identifier of a session has at most this many bytes; what is longer is a ticket. */
const LONGEST_IDENTIFIER = 32
const MS = 1000

/** The sessions of one server in the cache that all processes share. */
export interface CachedSessions {
  /** To be given to TLSSocket: it stores new sessions. It never listens. */
  readonly storing: Server
  /** The session that a client wants to resume; undefined if there is none. */
  find(hello: ClientHello): Promise<Uint8Array | undefined>
}

/**
 * SSLSessionCache: sessions of clients that get no tickets, because SSLSessionTickets is off or because they do not
 * accept any.
 */
export class SessionCache {
  readonly #store: SharedStore
  readonly #servers = new WeakMap<PreparedServer, CachedSessions>()

  constructor(store: SharedStore) {
    this.#store = store
  }

  /** @returns null where the client gets tickets, or may not resume sessions */
  for(prepared: PreparedServer, hello: ClientHello): CachedSessions | null {
    if (!mayResume(prepared) || getsTickets(prepared, hello)) return null
    let sessions = this.#servers.get(prepared)
    if (sessions === undefined) {
      sessions = this.#sessionsOf(prepared)
      this.#servers.set(prepared, sessions)
    }
    return sessions
  }

  #sessionsOf(prepared: PreparedServer): CachedSessions {
    const identity = sessionIdentity(prepared)
    const lifetime = (prepared.context.sessionTimeout ?? 0) * MS
    const clients = sessionClients(prepared)
    const storing = new Server()
    storing.on('newSession', (id: Buffer, session: Buffer, done: () => void) => {
      if (clients?.areAccepted !== false) this.#store.set(keyOf(identity, id.toString('latin1')), session, lifetime)
      done()
    })
    return {
      storing,
      find: async (hello) => {
        const id = identifierIn(prepared, hello)
        return id === '' ? undefined : await this.#store.get(keyOf(identity, id))
      },
    }
  }
}

function getsTickets(prepared: PreparedServer, hello: ClientHello): boolean {
  if (prepared.settings.server.sessionTickets === false) return false
  return hello.acceptsTickets || isModern(prepared, hello)
}

/** Whether TLS 1.3 will be chosen. */
function isModern({ context }: PreparedServer, { versions }: ClientHello): boolean {
  return context.maxVersion === 'TLSv1.3' && versions.includes(TLS_1_3)
}

/** In TLS 1.3 the field of the identifier holds no session, but what old boxes between expect (RFC 8446, appendix D.4). */
function identifierIn(prepared: PreparedServer, hello: ClientHello): string {
  const { hasPreSharedKey, firstIdentity, sessionId } = hello
  if (!hasPreSharedKey) return isModern(prepared, hello) ? '' : sessionId
  return firstIdentity.length > LONGEST_IDENTIFIER ? '' : firstIdentity
}

function keyOf(identity: string, id: string): string {
  return `${identity} ${Buffer.from(id, 'latin1').toString('base64')}`
}
