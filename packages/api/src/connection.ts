import type { Server } from './server.ts'

/**
 * Sees the bytes of a connection. An error that a function throws ends the connection.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface TrafficObserver {
  /** Bytes from the client, valid during the call. */
  received(bytes: Uint8Array): void
  /** Bytes for the client, in the order in which they are written, valid during the call. A string has one byte per character. */
  sent(bytes: Uint8Array | string): void
}

/**
 * A client's connection. Addresses are texts in the form that httpd prints: an IPv4-mapped IPv6 address
 * appears as IPv4.
 */
export interface Connection {
  /** Address of the peer, which may be a proxy. Access control and logs use `Request.useragentAddress`. */
  readonly remoteAddress: string
  /**
   * The scheme by which another server received the request that it asks about (`Request.lookupForeign`); null for
   * connections of this server. With `https` the client's connection is secured, and nothing else is known of it: what
   * depends on its certificates or ciphers must refuse.
   * @since 2.4.6
   */
  readonly foreignScheme: 'http' | 'https' | null
  /** Port of the peer, 1 to 65535. */
  readonly remotePort: number
  /** Address that the client connected to. */
  readonly localAddress: string
  /** Port that the client connected to. */
  readonly localPort: number
  /** Requests on this connection before the present one (`%k`). */
  readonly keepalives: number
  /** The virtual host that the address alone selects. */
  readonly baseServer: Server
  /**
   * The virtual host of the connection's address that has this name, found as for the Host field of a request.
   * @param name in lower case, without port
   * @since 2.4.6
   */
  serverNamed(name: string): Server | undefined
  /** True if the client disconnected before the response was complete. */
  readonly aborted: boolean
  /**
   * True if bytes were received that the present request has not used: the unread part of its body, or further
   * requests that the client sent without waiting (pipelining).
   * @since 2.4.6
   */
  readonly hasUnusedInput: boolean
  /**
   * Call this in preConnection: passes the data that the client sends before its first request to `read`.
   * Whenever data arrives, `read` receives everything so far. It returns the length of the preface in bytes,
   * `more` if it needs more data, or `refuse` to close the connection without a response. A client that does
   * not complete the preface within Timeout is disconnected. A second call replaces the first.
   * @since 2.4.3
   */
  expectPreface(read: (bytes: Uint8Array) => number | 'more' | 'refuse'): void
  /**
   * Shows all bytes of the connection to a function, for logs: without TLS, if it is secured. Call this in preConnection.
   * Connections that a module takes over ({@link LayerSink.speak}) are not seen. A second call replaces the first.
   * @since 2.4.6
   */
  observeTraffic(observer: TrafficObserver): void
  /**
   * Adds a cleanup, which is called once when the connection ends. Cleanups run in reverse order of
   * registration; an error in one is logged and does not prevent the others.
   * @since 2.4.4
   */
  onClose(cleanup: () => void): void
}
