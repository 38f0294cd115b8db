import type { TLSSocket } from 'node:tls'
import type { Request, Server } from '@gatewright/api'
import type { PreparedServer } from '../start/prepare-server.ts'
import type { Handshakes } from './handshakes.ts'
import type { SessionView } from './session-view.ts'
import type { Strictness } from './strictness.ts'

/** What the module knows of a connection that it took. */
export type TakenConnection = SecuredConnection | PlainConnection

/** The client speaks HTTP without TLS where TLS is expected. */
export interface PlainConnection {
  readonly kind: 'plain'
}

/** A connection after its handshake. */
export interface SecuredConnection {
  readonly kind: 'secured'
  readonly socket: TLSSocket
  /** The server that was chosen by SNI, or the first of the address. */
  readonly server: Server
  /** Its settings, by which the handshake was made. */
  readonly prepared: PreparedServer
  readonly handshakes: Handshakes
  readonly rules: RulesInForce
  /** Replaced after another handshake. */
  view: SessionView
  /**
   * The request during which another handshake failed; null if none has. The connection is over: that request still sees how it
   * was, but its error documents and logs see none, as in httpd.
   */
  refusedIn: Request | null
  /** Logs that the connection ends before its time. */
  logAbort(): void
}

/** By which rules a connection was negotiated; requests change them. */
export interface RulesInForce {
  strictness: Strictness
  verifyDepth: number
  /** SSLCipherSuite; undefined for the default list. */
  cipherList: string | undefined
}
