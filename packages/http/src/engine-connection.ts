import type { ClientConnection } from './client-connection.ts'
import type { ConnectionShare } from './connection-shares.ts'
import type { TransportSink } from './transport.ts'

/** `working`: the host is processing a request; `writing`: the client has not yet received the whole response. */
export type ConnectionActivity = 'reading' | 'working' | 'writing' | 'keepAlive' | 'closing'

/** The connection of one client as the engine sees it, whichever protocol it carries. */
export interface EngineConnection extends ClientConnection, TransportSink {
  /** Index in the registry; -1 if it is not in there. */
  slot: number
  /** The connections of its client, including this one; null for a closed connection. */
  share: ConnectionShare | null
  /** The phase, for status pages. */
  readonly activity: ConnectionActivity
  /**
   * Kept alive, and no part of a next request has arrived. A connection that has not sent anything yet is not
   * idle.
   */
  readonly idle: boolean
  /** Its rank among the connections that may be displaced, see displacement-rank.ts. */
  displacementRank(now: number): number
  /** Closes immediately; the engine no longer counts the connection when this returns. */
  displace(): void
  /** Closes: immediately if the host is processing a request, otherwise as soon as everything is sent. */
  close(): void
  /** Called on each tick of the engine: checks the time limits. */
  tick(now: number): void
}
