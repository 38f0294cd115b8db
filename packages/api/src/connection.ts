import type { Server } from './server.ts'

/**
 * A client's connection. Addresses are texts as httpd prints them: an IPv4-mapped IPv6 address appears as
 * IPv4.
 */
export interface Connection {
  /**
   * Address of the peer: of a proxy, where one is between. Access control and logs see
   * `Request.useragentAddress`.
   */
  readonly remoteAddress: string
  /** Port of the peer, 1 to 65535. */
  readonly remotePort: number
  /** Address that the client connected to. */
  readonly localAddress: string
  /** Port that the client connected to. */
  readonly localPort: number
  /** Requests answered before the present one (`%k`). */
  readonly keepalives: number
  /** The virtual host that the address alone selects. */
  readonly baseServer: Server
  /** True when the client went away before the response was complete. */
  readonly aborted: boolean
  /**
   * To be called in preConnection: data that the client sends before its first request goes to `read`. It
   * receives everything that has arrived so far, whenever more arrives, and returns the length of the preface
   * in bytes, that it needs more, or that the connection is to be closed without a response. A client that
   * does not complete the preface is closed after Timeout. A second call replaces the first.
   * @since 2.4.3
   */
  expectPreface(read: (bytes: Uint8Array) => number | 'more' | 'refuse'): void
  /**
   * Adds a cleanup: called once when the connection is over, last registered first. One that throws is logged
   * and keeps no other from running.
   * @since 2.4.4
   */
  onClose(cleanup: () => void): void
}
