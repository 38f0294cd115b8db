import type { Preface } from './preface.ts'
import type { TrafficObserver } from './transport.ts'

/** The connection of one client as the host sees it, whichever protocol it carries. */
export interface ClientConnection {
  readonly remoteAddress: string
  readonly remotePort: number
  readonly localAddress: string
  readonly localPort: number
  /** The host's own. */
  data: unknown
  /** Set by the host before any bytes have arrived; null if the first bytes are those of a request. */
  preface: Preface | null
  readonly closed: boolean
  /** Bytes were received that the present request has not used. */
  readonly hasUnusedInput: boolean
  /** All bytes of the connection are shown to `observer` from now on. */
  observe(observer: TrafficObserver): void
  /** Closes immediately; unsent data is lost. */
  destroy(): void
}
