import type { ClientConnection } from './client-connection.ts'
import type { Exchange } from './exchange.ts'
import type { Successor } from './successor.ts'

/** What limits the fields and the chunks of a message, whichever side sent it. */
export interface MessageLimits {
  /** LimitRequestLine, bytes. As in httpd, one byte more is accepted. */
  readonly limitRequestLine: number
  /** LimitRequestFieldSize, bytes, for a line, a folded field and a merged field. */
  readonly limitRequestFieldSize: number
  /** LimitRequestFields, 0 = no limit. */
  readonly limitRequestFields: number
  /** HttpProtocolOptions Strict (true) or Unsafe. */
  readonly strict: boolean
}

/**
 * The settings of a connection, which the host determines. The engine requests them before every request;
 * they come from the virtual host that the connection's address selects, because the request's own host is
 * not known before its head is read.
 */
export interface ConnectionSettings extends MessageLimits {
  /**
   * The scheme of the host's ServerName, or `http`. An absolute target of another scheme does not name a
   * host.
   */
  readonly scheme: 'http' | 'https'
  /** HttpProtocolOptions RegisteredMethods: the allowed methods; null for any. */
  readonly methods: { has(name: string): boolean } | null
  /** HttpProtocolOptions Allow0.9. */
  readonly allowHttp09: boolean
  /** Timeout, ms without progress while a request or its body is read or a response is written. */
  readonly timeout: number
  /** KeepAliveTimeout, ms between two requests. */
  readonly keepAliveTimeout: number
  /** For what a layer does before the first request, from the start of the connection; null for no limit. */
  readonly handshakeLimit: ReadTimeLimit | null
  /** From the first byte of a request to the end of its fields; null for no limit. */
  readonly headLimit: ReadTimeLimit | null
  /** For a body, from the time at which the host starts to read it; null for no limit. */
  readonly bodyLimit: ReadTimeLimit | null
}

/** The time limit for receiving one part of a request, in ms. */
export interface ReadTimeLimit {
  readonly initial: number
  /** The longest time that arriving bytes can extend it to; 0 for no limit. */
  readonly longest: number
  /** Bytes that extend the time by one second; 0 if bytes do not extend it. */
  readonly rate: number
}

/** The engine's counterpart: answers requests. No method may throw. */
export interface EngineHost {
  /** A connection was accepted: the host prepares it, and may destroy it afterwards. */
  onConnection(connection: ClientConnection): ConnectionSettings
  /** The settings for the next request of a connection. */
  settings(connection: ClientConnection): ConnectionSettings
  /**
   * A head was read, or rejected (`exchange.refusal` is set). The host answers through the exchange, now or
   * later.
   */
  onRequest(exchange: Exchange): void
  /** Asked when the first bytes have arrived: other protocols that they may begin. */
  successorsOf?(connection: ClientConnection): readonly Successor[]
  onClose?(connection: ClientConnection): void
  /** A head or body exceeded its time limit, and a refusal follows; or a handshake did, and the connection is closed. */
  onReadTimeout?(connection: ClientConnection, part: 'handshake' | 'header' | 'body'): void
}
