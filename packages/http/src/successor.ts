import type { ClientConnection } from './client-connection.ts'
import type { HttpEngine } from './engine.ts'
import type { EngineConnection } from './engine-connection.ts'
import type { ResponseListener } from './exchange.ts'
import type { Transport } from './transport.ts'

/** Makes the connection that continues another one on the same transport. What the former one has not used follows. */
export type SuccessorBegin = (engine: HttpEngine, transport: Transport, former: ClientConnection) => EngineConnection

/** Another protocol that a client of HTTP/1.x may begin with, without asking. */
export interface Successor {
  /** The bytes by which it is recognised. They are left to it. */
  readonly opening: Buffer
  readonly begin: SuccessorBegin
}

/** The capability of an exchange to end HTTP/1.x on its connection. */
export interface ProtocolSwitch {
  /**
   * Sends the head of a response with status 101, and continues the connection with another protocol.
   * @param listener is notified before the other protocol begins
   */
  switchTo(opening: string, begin: SuccessorBegin, listener: ResponseListener | null): void
}
