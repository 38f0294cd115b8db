/** What failed, in the order of an exchange. */
export type UpstreamFault =
  /** The name of the backend does not resolve. */
  | 'resolve'
  /** The connection was refused. */
  | 'refused'
  /** Any other failure to connect: no route, no such socket file, no permission. */
  | 'unreachable'
  | 'connect-timeout'
  /** The proxy on the way does not connect to the backend: its status, or why there is none. */
  | 'through'
  /** The TLS handshake failed, or the certificate was not accepted. */
  | 'tls'
  /** As many exchanges wait for a connection as may. */
  | 'queue-full'
  /** No connection became free in time. */
  | 'acquire-timeout'
  /** Closed or reset before the first byte of the response. */
  | 'closed-early'
  | 'closed-in-head'
  | 'head-timeout'
  | 'ping-timeout'
  | 'send-timeout'
  | 'body-timeout'
  /** No status line that can be used. */
  | 'status-line'
  /** A line without a colon. */
  | 'field-line'
  /** An empty name, or one with a character that names do not have. */
  | 'field-name'
  /** A control character in a value. */
  | 'field-value'
  | 'nul'
  | 'field-size'
  | 'field-count'
  | 'head-size'
  | 'content-length'
  | 'transfer-encoding'
  | 'too-many-interim'
  /** A 101 (Switching Protocols) that was not asked for. */
  | 'unexpected-upgrade'
  /** Broken chunks or trailers. */
  | 'chunk'
  /** Closed or reset before the end of the body. */
  | 'truncated'
  /** What arrives is no FastCGI. */
  | 'protocol'
  /** A FastCGI responder refuses the request: it has none to spare, serves one at a time, or is no responder. */
  | 'overloaded'
  | 'cant-multiplex'
  | 'unknown-role'

/** More about a failure. */
export interface FaultDetails {
  /** The line, name or value at fault; '' if there is none. */
  readonly detail?: string
  /** The system's error. */
  readonly cause?: Error | null
  /** Bytes of the response that had arrived. */
  readonly received?: number
  /** Whether the connection had served another exchange before. */
  readonly kept?: boolean
  /** Whether the fault was found before the first byte of the body was passed on. */
  readonly beforeBody?: boolean
}

/** An exchange with a backend, or the way to it, has failed. Compare `code`: modules bundle copies of this class. */
export class UpstreamError extends Error {
  /** Identifies the class. */
  override readonly name = 'UpstreamError'
  readonly code: UpstreamFault
  readonly detail: string
  override readonly cause: Error | null
  readonly received: number
  readonly kept: boolean
  readonly beforeBody: boolean

  constructor(code: UpstreamFault, details: FaultDetails = {}) {
    const detail = details.detail ?? ''
    super(`${code}${detail === '' ? '' : `: ${detail}`}`)
    this.code = code
    this.detail = detail
    this.cause = details.cause ?? null
    this.received = details.received ?? 0
    this.kept = details.kept ?? false
    this.beforeBody = details.beforeBody ?? true
  }
}

/** Makes the error of a failed attempt to connect. */
export function connectError(cause: NodeJS.ErrnoException): UpstreamError {
  return new UpstreamError(connectFault(cause), { cause, detail: cause.message })
}

function connectFault({ code, syscall }: NodeJS.ErrnoException): UpstreamFault {
  if (syscall === 'getaddrinfo') return 'resolve'
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'ETIMEDOUT') return 'connect-timeout'
  return 'unreachable'
}
