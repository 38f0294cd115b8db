import { HeaderFields } from '@gatewright/http/messages'

/** How the end of a response's body is found. `close`: by the end of the connection. */
export type ResponseFraming = 'none' | 'length' | 'chunked' | 'close'

/** The head of a response. All text is latin1. */
export class ResponseMessage {
  /** 1001 for HTTP/1.1 and later, 1000 for HTTP/1.0, 9 if there is no head. */
  version: number
  /** From 100 to 999. */
  status: number
  /** '' if there is none; null if what follows the status is no reason phrase. */
  reason: string | null
  /** In their order, those of one name apart, the ones about the connection included. `get` finds the first of a name. */
  readonly fields: HeaderFields
  framing: ResponseFraming
  /** Bytes; -1 unless the framing is `length`, or the response to HEAD states it. */
  contentLength: number
  /** Whether there are both a length and a transfer coding. The coding counts: the length must not be passed on. */
  ambiguous: boolean
  /** Whether the backend leaves the connection open. */
  keepsConnection: boolean

  constructor(fields: HeaderFields = new HeaderFields()) {
    this.version = 0
    this.status = 0
    this.reason = null
    this.fields = fields
    this.framing = 'none'
    this.contentLength = -1
    this.ambiguous = false
    this.keepsConnection = false
  }
}
