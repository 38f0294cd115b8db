import type { OutgoingTls } from '@gatewright/api/peers'

/** Where a backend listens: a host name or address with a port, or the path of a socket of the file system. */
export type UpstreamTarget =
  | { readonly host: string; readonly port: number; readonly localAddress?: string }
  | { readonly path: string }

/** What a proxy is asked for the way to a back end (CONNECT). */
export interface ConnectRequest {
  /** `HOST:PORT`. */
  readonly authority: string
  /** The request. */
  readonly head: string
}

/** What a protocol does with idle connections where the parameters of a worker say nothing. */
export interface IdleRules {
  /** Milliseconds after which they are closed. */
  readonly ttl: number
  /** How many are kept in any case; -1 for as many as there may be. */
  readonly smax: number
}

/** The settings of a pool. Times are in ms. */
export interface PoolOptions {
  readonly target: UpstreamTarget
  /** How connections are secured; null: they are in the clear. */
  readonly tls: OutgoingTls | null
  /** Another proxy that a connection goes through, at `target`; null or absent: none. */
  readonly through?: ConnectRequest | null
  /** Most connections, open and connecting; 0 = no limit. */
  readonly max: number
  /** Idle connections that stay open in any case. */
  readonly min: number
  /** Idle connections above this number are closed after `ttl`; -1 = `max`. */
  readonly smax: number
  /** How long an idle connection may be used again; 0 = as long as the backend leaves it open. */
  readonly ttl: number
  /** How long an exchange waits for a free place; -1 = without limit. */
  readonly acquireTimeout: number
  /** Most exchanges that wait; -1 = no limit. */
  readonly queue: number
  /** Name, connection and handshake; 0 = no limit. */
  readonly connectTimeout: number
  /** TCP keep-alive. */
  readonly keepAlive: boolean
  /** False: a connection serves one exchange. */
  readonly reuse: boolean
}

/** What a pool has done, and does. */
export interface PoolFigures {
  /** Open connections, idle ones included. */
  readonly open: number
  readonly idle: number
  readonly connecting: number
  /** Exchanges that wait for a connection. */
  readonly waiting: number
  /** Connections that were opened. */
  readonly opened: number
  /** Times that an idle connection was used again. */
  readonly reused: number
  /** Attempts to connect that failed. */
  readonly failed: number
  /** Idle connections that were closed, by the backend or by `ttl`. */
  readonly retired: number
  /** Exchanges that ended, with a response or without. */
  readonly exchanges: number
  /** Exchanges that failed after a connection was found. */
  readonly errors: number
  readonly bytesSent: number
  readonly bytesReceived: number
  /** Exchanges by the time from their start to the head of the response: see LatencyHistogram. */
  readonly latency: readonly number[]
}
