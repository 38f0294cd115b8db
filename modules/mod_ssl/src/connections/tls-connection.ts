import type { TLSSocket } from 'node:tls'
import type { Server } from '@gatewright/api'
import type { TlsView } from '@gatewright/api/peers'
import type { ClientHello } from '../client-hello.ts'
import type { VerifyMode } from '../settings.ts'

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
  readonly hello: ClientHello | null
  readonly verifyMode: VerifyMode
  readonly verifyDepth: number
  readonly view: TlsView
}
