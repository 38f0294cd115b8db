import type { Server } from 'node:tls'
import type { MaybePromise } from '@gatewright/api'
import type { ClientHello } from '../client-hello.ts'
import type { PreparedServer } from '../start/prepare-server.ts'
import type { SessionCache } from './session-cache.ts'

/** What a handshake needs from other processes. */
export interface HandshakeAids {
  /** Stores new sessions. */
  readonly storing?: Server
  /** To be resumed. */
  readonly session?: Uint8Array
}

const NOTHING: HandshakeAids = {}

/** What is to be known before a handshake. It never rejects. */
export function handshakeAids(
  prepared: PreparedServer,
  hello: ClientHello,
  cache: SessionCache | null,
): MaybePromise<HandshakeAids> {
  const sessions = cache?.for(prepared, hello) ?? null
  if (sessions === null) return NOTHING
  const { storing } = sessions
  return sessions.find(hello).then(
    (session) => ({ storing, ...(session !== undefined && { session }) }),
    () => ({ storing }),
  )
}
