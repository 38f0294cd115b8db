import type { FilteredBody } from '@gatewright/api'
import type { Exchange, ResponseHead } from '@gatewright/http'
import type { RequestRecord } from '../../model/request-record.ts'

/** A range of a body, with the text before it in a multipart response. */
export interface BodyPiece {
  readonly prefix: string
  readonly start: number
  readonly length: number
}

/** Ranges of a body that are sent instead of all of it. */
export interface BodyCut {
  readonly pieces: readonly BodyPiece[]
  /** The text after the last piece. */
  readonly suffix: string
}

/** Logs why the client does not get the complete response, if there is a reason to log. */
export type SendFailed = (request: RequestRecord, error: unknown) => void

/**
 * A response body of one kind that comes from a source, such as a file or a stream: everything that depends on
 * the kind. A new kind of body implements this interface and gets a line in `bodyOf`. A body in memory is sent
 * as it is (bytes.ts).
 *
 * The owner of a body calls either `send` or `discard`, once. From then on, the body itself releases what it
 * holds (a file, a stream), also if the client goes.
 */
export interface ResponseBody {
  /** Number of bytes; null if it is not known before they are sent. */
  readonly length: number | null
  /** Whether ranges of it can be sent. */
  readonly isDivisible: boolean
  /** Opens the body's source before the head is written. @throws the reason why the body cannot be sent */
  open(): void
  /**
   * Sends head and body, and reports the end to the request.
   * @param cut null for the whole body; always null for a body that is not divisible
   */
  send(request: RequestRecord, exchange: Exchange, head: ResponseHead, failed: SendFailed, cut: BodyCut | null): void
  /** The bytes to send, for a caller that sends them itself instead of calling `send`. @param cut as for `send` */
  read(cut: BodyCut | null): AsyncIterable<string | Uint8Array>
  /** Releases the body without sending it. */
  discard(): void
  /** The body for filters; nothing is read before a filter requests it. */
  filtered(): FilteredBody
}
