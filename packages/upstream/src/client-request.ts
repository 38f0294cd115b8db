/** What a backend may send before its response is refused. Sizes are in bytes. */
export interface ResponseLimits {
  /** The longest status line. */
  readonly statusLine: number
  /** The longest field, with its name. */
  readonly fieldSize: number
  /** Most fields; 0 = no limit. */
  readonly fields: number
  /** The longest head. */
  readonly headSize: number
  /** Most interim responses before the response. */
  readonly interim: number
}

/** The limits of httpd, and a size of the head, which httpd does not limit. */
export const RESPONSE_LIMITS: ResponseLimits = {
  statusLine: 8192,
  fieldSize: 8192,
  fields: 0,
  headSize: 1024 * 1024,
  interim: 10,
}

/** What to do with a line of the head without a colon: ProxyBadHeader. */
export type BadHeader = 'error' | 'ignore' | 'body'

/** A request to a backend. All text is latin1. */
export interface ClientRequest {
  /** The complete head with its empty line, as it is sent. */
  readonly head: string
  readonly method: string
  /** The whole body in the form in which it is sent; null if there is none or `write` follows. */
  readonly body: Buffer | null
  /** How `write` frames the body: no body follows; as it is, because its length is in the head; in chunks. */
  readonly framing: 'none' | 'length' | 'chunked'
  /** Whether the backend may change the protocol by a 101. */
  readonly upgrade: boolean
  readonly limits: ResponseLimits
  /** Time without progress, reading or writing, in ms; 0 = no limit. */
  readonly timeout: number
  /** Time in ms in which the first byte must arrive: for a request that waits for a 100 (Continue); 0 = no limit of its own. */
  readonly pingTimeout: number
  readonly badHeader: BadHeader
  /** Whether anything that does not begin like HTTP/1 is a body without a head, as in httpd. Otherwise it is refused. */
  readonly http09: 'accepted' | 'refused'
}
