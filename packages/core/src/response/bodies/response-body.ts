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

/** The parts of one response: its request, its exchange, and its head. */
export interface Delivery {
  readonly request: RequestRecord
  readonly exchange: Exchange
  readonly head: ResponseHead
  /** Null for the whole body; always null for a body that is not divisible. */
  readonly cut: BodyCut | null
  /** Logs why the client does not get the complete response, if there is a reason to log. */
  readonly failed: (request: RequestRecord, error: unknown) => void
}

/**
 * A response body of one kind: everything that depends on the kind. A new kind of body implements this
 * interface and gets a line in `bodyOf`.
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
  /** Sends head and body, and reports the end to the request. */
  send(delivery: Delivery): void
  /** Releases the body without sending it. */
  discard(): void
  /** The body for filters; nothing is read before a filter requests it. */
  filtered(): FilteredBody
}
