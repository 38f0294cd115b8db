import type { ClientConnection, ConnectionSettings } from '@gatewright/http'

/** How HTTP/2 is spoken on a connection. */
export interface ConnectionRules {
  /** SETTINGS_MAX_CONCURRENT_STREAMS. */
  readonly maxStreams: number
  /** SETTINGS_INITIAL_WINDOW_SIZE; 0 for that of the RFC. */
  readonly windowSize: number
  /** Bytes of a DATA frame; 0 for as many as the client takes. */
  readonly maxDataFrame: number
  /** Bytes of the largest header block of a response, by the estimate of nghttp2; 0 for 65536. */
  readonly maxHeaderBlock: number
  /** Streams that may end because their client ignored flow control; 0 for any number. */
  readonly maxStreamErrors: number
  /** Frames get up to 2^n - 1 bytes of padding; 0 for none. */
  readonly padding: number
  /** Ms without progress on a stream; 0 for the time limit of the connection. */
  readonly streamTimeout: number
  /** Whether clients may open tunnels by extended CONNECT (RFC 8441). */
  readonly webSockets: boolean
  /** Whether every request is one for a proxy: its target is absolute, made of scheme, authority and path. */
  readonly proxyRequests: boolean
  /** Whether responses may be pushed. */
  readonly push: boolean
  /** How many pushed resources are remembered, so that none is pushed twice. */
  readonly pushDiarySize: number
}

/** What the connections of a server use in common. */
export interface Http2Host {
  /** A connection ended because of its client, or a stream was reset. `text` names the reason. */
  report(connection: ClientConnection, level: 'error' | 'warn' | 'info' | 'debug', code: string, text: string): void
}

/** What a connection of HTTP/2 begins with. */
export interface Http2Start {
  readonly rules: ConnectionRules
  readonly host: Http2Host
  /** Those of the server that was chosen for the connection. */
  readonly settings: ConnectionSettings
  /** Whether the connection is encrypted. */
  readonly isSecured: boolean
  /** False if the client has sent its preface already. */
  readonly expectsPreface: boolean
  /** Distinguishes the connections of this process. */
  readonly number: number
}
