/** What ended a request. */
export type SessionFaultKind =
  /** The server has reset the stream. */
  | 'reset'
  /** The server ends the connection, and has not begun this request. */
  | 'goaway'
  /** The response is none by the rules of HTTP, or could be read in two ways. */
  | 'malformed'
  /** The response exceeds a limit. */
  | 'excess'
  /** The server does not keep to the rules of the connection. */
  | 'protocol'
  /** The connection has closed. */
  | 'closed'
  /** An error of this program. */
  | 'broken'

/** A request has failed. Compare `kind`: modules bundle copies of this class. */
export class SessionFault extends Error {
  /** Identifies the class. */
  override readonly name = 'SessionFault'
  readonly kind: SessionFaultKind
  /** Whether the server has certainly not acted on the request (RFC 9113 section 8.7): it may be sent again. */
  readonly isUnprocessed: boolean
  override readonly cause: unknown

  /** @param text what happened, for a log */
  constructor(kind: SessionFaultKind, text: string, isUnprocessed = false, cause: unknown = null) {
    super(text)
    this.kind = kind
    this.isUnprocessed = isUnprocessed
    this.cause = cause
  }
}
