import type { Duplex } from 'node:stream'
import type { OsError } from './log.ts'

/**
 * How a request is passed on. `forward`: the client named the other server, by an absolute target or CONNECT.
 * `reverse`: the configuration did.
 * @since 2.4.6
 */
export type ProxyRequestKind = 'forward' | 'reverse'

/**
 * The target of a request line (RFC 9112, section 3.2). Nothing is decoded.
 * @since 2.4.6
 */
export interface RequestTarget {
  /** As sent. */
  readonly text: string
  /** `authority` for CONNECT, `asterisk` for `*`. */
  readonly form: 'origin' | 'absolute' | 'authority' | 'asterisk'
  /** In lower case; '' except in the absolute form. */
  readonly scheme: string
  /** As sent, an IPv6 address without its brackets; null if the target contains none. */
  readonly host: string | null
  /** 0 if absent. */
  readonly port: number
}

/**
 * A response after which the connection belongs to another protocol: 101 (Switching Protocols), or 200 to CONNECT. The
 * body of the request must have been read.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface TunnelBody {
  /** The bytes before those of the other protocol, sent as they are: the head of the response with its empty line. */
  readonly opening: string
  /**
   * Called when the opening was sent. The connection ends when the module ends or destroys the stream; a client that
   * closes only its sending side may still receive. The stream is destroyed when the client disconnects. It has no time
   * limit but that of the module. What is written to it counts as the body of the response.
   */
  tunnel(client: Duplex): void
  /** False if what is written does not count as the body of the response. Absent: it does. */
  readonly isCounted?: boolean
}

/**
 * Why a response that has begun cannot be completed. A stream ({@link StreamBody}) that throws it has logged the reason;
 * the host breaks the response off without another log line.
 * @since 2.4.6
 */
export class ResponseCut extends Error {
  /** Identifies the class. */
  override readonly name = 'ResponseCut'
  /** A system error that the host logs in httpd's words, because the module has not logged it; absent: it has. */
  readonly unlogged?: OsError

  /** @param unlogged for the system error of a read that failed within the body */
  constructor(message: string, unlogged?: OsError) {
    super(message)
    if (unlogged !== undefined) this.unlogged = unlogged
  }
}

/**
 * Identifies {@link ResponseCut}, also that of another copy of this package.
 * @since 2.4.6
 */
export function isResponseCut(error: unknown): error is ResponseCut {
  return error instanceof Error && error.name === 'ResponseCut'
}
