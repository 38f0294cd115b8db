/**
 * How the client finds the end of the body. `stated`: the fields state its length, or there is no body; if
 * neither is true, the connection closes after it. `marked`: its length is not known, and the protocol marks
 * its end. `markedIfKept`: the same, but if the connection closes after the response, only that marks the
 * end.
 */
export type BodyEnd = 'stated' | 'marked' | 'markedIfKept'

/** On which terms the host keeps the connection open for another request. */
export interface KeepAliveTerms {
  /** Seconds until the connection closes without another request. */
  readonly timeout: number
  /** Number of further requests; Infinity if it is not limited. */
  readonly requestsLeft: number
}

/**
 * The head of a response, without anything that belongs to one protocol: an exchange adds the fields about
 * the connection and about the framing of the body. All text is latin1, and valid in a head. An exchange uses a
 * head only during the call that receives it, because the host may fill the same object for the next response.
 */
export interface ResponseHead {
  readonly status: number
  readonly reason: string
  /**
   * The fields as lines (`Name: value`, CR, LF) in their order on the wire: the form that is cheapest to
   * build and to send. `fieldsIn` returns names and values.
   */
  readonly fields: string
  /** The fields that follow those of the exchange: httpd sends Content-Type and others after Connection. */
  readonly contentFields: string
  readonly end: BodyEnd
  /** null if the connection is to be closed after the response. */
  readonly keepAlive: KeepAliveTerms | null
  /** The value of the field Connection that the host's modules set; null for none. */
  readonly connectionOptions: string | null
  /** The version of HTTP that the client is treated as using, at most that of the request. */
  readonly version: number
  /** Whether the response claims to be HTTP/1.0, if its protocol states a version. */
  readonly claimsHttp10: boolean
}

/** The names and values of fields that are given as lines. */
export function fieldsIn(lines: string): [name: string, value: string][] {
  const fields: [string, string][] = []
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf('\r\n', start)
    const colon = lines.indexOf(':', start)
    fields.push([lines.slice(start, colon), lines.slice(colon + 2, end)])
    start = end + 2
  }
  return fields
}
