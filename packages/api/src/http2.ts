import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'

/**
 * How a server speaks HTTP/2. Sizes are bytes.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface Http2Settings {
  /** Streams that a client may have open at a time; at least 1. */
  readonly maxStreams: number
  /** What a client may send on a stream before it is read; 0 for 65535. */
  readonly windowSize: number
  /** The largest DATA frame that is sent; 0 for as large as clients take. */
  readonly maxDataFrame: number
  /** The largest header block of a response, by the estimate of nghttp2; 0 for 65536. */
  readonly maxHeaderBlock: number
  /** Streams that may end because their client ignored flow control, before the connection ends; 0 for any number. */
  readonly maxStreamErrors: number
  /** Frames get up to 2^n - 1 bytes of padding; 0 to 8. */
  readonly padding: number
  /** Ms without progress on a stream; 0 for the Timeout of the server. */
  readonly streamTimeout: number
  /** Whether extended CONNECT (RFC 8441) is accepted. */
  readonly webSockets: boolean
  /**
   * Whether requests name the server that a forward proxy asks; false unless stated.
   * @since 2.4.6
   */
  readonly proxyRequests?: boolean
  /** Whether responses may be pushed. */
  readonly push: boolean
  /** Pushed resources that a connection remembers; 0 for none. */
  readonly pushDiarySize: number
  /** Whether clients may begin without asking; null for the standard: only in the clear. */
  readonly direct: boolean | null
  /** Whether TLS of a version or with a cipher that RFC 9113 advises against is refused. */
  readonly modernTlsOnly: boolean
}

/**
 * Offered by mod_http2: how a server speaks HTTP/2. Asked after postConfig, once per server.
 * @since 2.4.6
 */
export const http2SettingsOf: OptionalFunction<(server: Server) => Http2Settings> = optionalFunction('http2:settings')

/**
 * Offered by mod_http2: whether a request of HTTP/1.1 may continue as HTTP/2 (`Upgrade: h2c`).
 * @since 2.4.6
 */
export const allowsHttp2Upgrade: OptionalFunction<(request: Request) => boolean> = optionalFunction('http2:upgrade')

/**
 * The stream of a request that came by HTTP/2.
 * @since 2.4.6
 */
export interface Http2Stream {
  /** Its number. */
  readonly id: number
  /** The number of its connection in this process, from 0. */
  readonly connection: number
  /** The stream along with which its response is pushed; 0 for a request of the client. */
  readonly pushedOn: number
  /** Whether responses can be pushed along with this one. */
  readonly takesPushes: boolean
  /** Decides whether and how the resources are pushed that the response names. */
  setPushes(pushes: boolean, policy: 'default' | 'head'): void
  /** Pushes what the value of a field Link names for preloading, as if the response had that field. */
  pushLinks(links: string): void
  /** The response is replaced by the demand to use HTTP/1.1: the stream is reset. */
  requireHttp11(): void
}

/**
 * Offered by the host: the stream of a request; null for one of HTTP/1.x and for a sub-request.
 * @since 2.4.6
 */
export const http2StreamOf: OptionalFunction<(request: Request) => Http2Stream | null> = optionalFunction('core:http2_stream')
