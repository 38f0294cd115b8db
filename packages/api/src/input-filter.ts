import type { Outcome } from './outcome.ts'
import type { Request } from './request.ts'

/**
 * Changes request bodies between the network and their reader. It is called once for each body that is read,
 * when its first part is requested, and neither for requests without a body nor for bodies that are read and
 * discarded.
 * @suppliedByModules
 * @since 2.4.4
 */
export interface InputFilter {
  /** For messages; in capitals, as httpd's are. */
  readonly name: string
  /**
   * One of {@link FILTER_RANK}, or a number near it. A body passes filters of higher rank first, and of equal
   * rank the one that was added last: the other way round than responses, as in httpd.
   */
  readonly rank: number
  /**
   * @param body to be read once, at the pace of the reader of the returned body; its chunks are valid until
   * the next one is requested
   * @returns the replacement of the body; `body` itself if it is unchanged
   * @throws BodyRefused, also while the returned body is read, to answer the request with a status
   */
  filter(request: Request, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

/**
 * A request body that cannot be used: too long, malformed. A filter throws it after logging the reason; the
 * reader of the body must not catch it, and the request is answered with the status.
 * @since 2.4.4
 */
export class BodyRefused extends Error {
  /** What it is recognised by. */
  override readonly name = 'BodyRefused'
  /** What the request is answered with. */
  readonly status: Outcome

  /** @param message the reason, for code that catches it @param status of the response, from 400 to 599 */
  constructor(message: string, status: Outcome) {
    super(message)
    this.status = status
  }
}

/**
 * Distinguishes rejected bodies from other errors, regardless of the copy of this package that made them.
 * @since 2.4.4
 */
export function isBodyRefused(error: unknown): error is BodyRefused {
  return error instanceof Error && error.name === 'BodyRefused' && 'status' in error && typeof error.status === 'number'
}
