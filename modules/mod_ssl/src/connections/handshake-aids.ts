import type { Server } from 'node:tls'
import type { MaybePromise } from '@gatewright/api'
import type { ClientHello } from '../client-hello.ts'
import type { Stapling } from '../ocsp/stapling.ts'
import type { PreparedServer } from '../start/prepare-server.ts'
import type { SessionCache } from './session-cache.ts'

/** What a handshake needs from other processes. */
export interface HandshakeAids {
  /** Stores new sessions. */
  readonly storing?: Server
  /** To be resumed. */
  readonly session?: Uint8Array
  /** The OCSP response to send along. */
  readonly staple?: Uint8Array
}

/** Where it comes from; null for what is not configured. */
export interface AidSources {
  readonly sessions: SessionCache | null
  readonly stapling: Stapling | null
}

/** What is to be known before a handshake. It never rejects. */
export function handshakeAids(
  prepared: PreparedServer,
  hello: ClientHello,
  { sessions, stapling }: AidSources,
): MaybePromise<HandshakeAids> {
  const cached = sessions?.for(prepared, hello) ?? null
  const staple = stapling?.for(prepared, hello)
  const storing = cached === null ? {} : { storing: cached.storing }
  if (cached === null && !(staple instanceof Promise)) return { ...(staple !== undefined && { staple }) }
  const session = cached?.find(hello).catch(() => undefined)
  return Promise.all([session, staple]).then(([found, response]) => ({
    ...storing,
    ...(found !== undefined && { session: found }),
    ...(response !== undefined && { staple: response }),
  }))
}
