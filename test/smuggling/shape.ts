/** A request that two servers may read differently, as published or derived from publications. */
export interface Shape {
  readonly name: string
  /** The rule of RFC 9112, unless another is named. */
  readonly rule: string
  /** latin1; a request for `/last`, which closes the connection, is sent after it. */
  readonly bytes: string
  /** The answers to all of it: status, and what was asked for where that was understood. Without one for `/last` the connection was closed before. */
  readonly answers: readonly string[]
  /** Apache httpd's, where they differ. */
  readonly httpd?: readonly string[]
}

export const LAST = 'GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
/** The request that an attacker wants to attribute to another client. */
export const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n'
export const POST = 'POST /page.html HTTP/1.1\r\nHost: h\r\n'
export const GET = 'GET /page.html HTTP/1.1\r\nHost: h\r\n'
export const CHUNKED: string = `${POST}Transfer-Encoding: chunked\r\n\r\n`

/** Rejected, and nothing after it is processed. */
export const REFUSED: readonly string[] = ['400']
export const SERVED = '200 POST /page.html'
/** Served, and the next request follows. */
export const KEPT: readonly string[] = [SERVED, '404 GET /last']
/** Served, and nothing after it is processed. */
export const CLOSED: readonly string[] = [SERVED]
