import type { MaybePromise, Outcome } from './outcome.ts'
import type { Request } from './request.ts'

/**
 * httpd's types of filters, with their numbers. A body passes through filters of lower rank first, and
 * through those of equal rank in the order in which they were added.
 */
export const FILTER_RANK = {
  /** Makes or rewrites content. */
  resource: 10,
  /** Changes the form of the whole body, such as compression. */
  contentSet: 20,
  /** Filters of this rank and higher also process error pages. */
  protocol: 30,
  /** Framing of the message. */
  transcode: 40,
  /** Processing that is the same for all requests of a connection. */
  connection: 50,
  /** The socket itself. */
  network: 60,
} as const

/**
 * A response body on its way through filters: complete, or a stream at the pace of the client. Bytes are
 * never changed in place: the same array always contains the same bytes.
 */
export type FilteredBody = Uint8Array | AsyncIterable<Uint8Array>

/**
 * Changes responses between the handler and the network. `filter` is called once for each response that the
 * filter was added to, before the head is written, so that it can also change status fields and headers. It
 * is called for HEAD, 304 and empty bodies too.
 * @suppliedByModules
 */
export interface OutputFilter {
  /** The name in messages, in capitals like httpd's. */
  readonly name: string
  /** One of {@link FILTER_RANK}, or a number near it. */
  readonly rank: number
  /**
   * Called before the handler runs, for responses that the filter was added to, so that the filter can set what the handler
   * reads, such as {@link Request.ignoresConditions}.
   * @since 2.4.6
   */
  prepare?(request: Request): void
  /**
   * @param body an empty array if there is none; a stream can be read once
   * @returns the body to send: `body` itself if it is unchanged (then even a large file is not read here),
   *   other bytes (the client receives their length) or a stream; or the status of a different response
   */
  filter(request: Request, body: FilteredBody): MaybePromise<FilteredBody | Outcome>
}
