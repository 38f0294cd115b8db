import type { HttpConnection } from './connection.ts'
import type { Exchange } from './exchange.ts'

/**
 * The settings of a connection, which the host determines. The engine requests them before every request;
 * they come from the virtual host that the connection's address selects, because the request's own host is
 * not known before its head is read.
 */
export interface ConnectionSettings {
  /** LimitRequestLine, bytes. As in httpd one byte more is let through. */
  readonly limitRequestLine: number
  /** LimitRequestFieldSize, bytes: of a line, of a folded and of a merged field. */
  readonly limitRequestFieldSize: number
  /** LimitRequestFields, 0 = no limit. */
  readonly limitRequestFields: number
  /** HttpProtocolOptions Strict (true) or Unsafe. */
  readonly strict: boolean
  /**
   * The scheme of the host's ServerName, or `http`. An absolute target of another scheme does not name a
   * host.
   */
  readonly scheme: 'http' | 'https'
  /** HttpProtocolOptions RegisteredMethods: the methods that requests may have; null for any. */
  readonly methods: { has(name: string): boolean } | null
  /** HttpProtocolOptions Allow0.9. */
  readonly allowHttp09: boolean
  /** Timeout, ms without progress while a request or its body is read, or an answer is written. */
  readonly timeout: number
  /** KeepAliveTimeout, ms between two requests. */
  readonly keepAliveTimeout: number
  /** From the first byte of a request to the end of its fields; null for any time. */
  readonly headLimit: ReadTimeLimit | null
  /** For a body, from the moment that the host wants it; null for any time. */
  readonly bodyLimit: ReadTimeLimit | null
}

/** How long one part of a request may take to arrive, in ms. */
export interface ReadTimeLimit {
  readonly initial: number
  /** Bytes that arrive extend the time up to this; 0 for any time. */
  readonly longest: number
  /** Bytes that extend the time by a second; 0 when none do. */
  readonly rate: number
}

/** The engine's counterpart: answers requests. No method may throw. */
export interface EngineHost {
  settings(connection: HttpConnection): ConnectionSettings
  /**
   * A head was read, or refused (`exchange.refusal` is set). The host answers through the exchange, now or
   * later.
   */
  onRequest(exchange: Exchange): void
  onClose?(connection: HttpConnection): void
  /** A head or body took longer than its limit; a refusal follows. */
  onReadTimeout?(connection: HttpConnection, part: 'header' | 'body'): void
}
