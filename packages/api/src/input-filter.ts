import type { Outcome } from './outcome.ts'
import type { Request } from './request.ts'

/**
 * Changes request bodies between the network and their reader. `filter` is called once for each body, when
 * its first part is read; it is not called for requests without a body or for bodies that are discarded.
 * @suppliedByModules
 * @since 2.4.4
 */
export interface InputFilter {
  /** The name in messages, in capitals like httpd's. */
  readonly name: string
  /**
   * One of {@link FILTER_RANK}, or a number near it. A body passes through filters of higher rank first, and
   * among filters of equal rank through the last added first: the reverse of responses, as in httpd.
   */
  readonly rank: number
  /**
   * @param body may be read once, at the pace of the reader of the returned body; a chunk is valid until the
   *   next one is requested
   * @returns the replacement of the body; `body` itself if it is unchanged
   * @throws BodyRefused, also while the returned body is read, to answer the request with a status
   */
  filter(request: Request, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

/**
 * A request body that cannot be used, for example because it is too long or malformed. A filter throws this
 * error after logging the reason. The reader of the body must not catch it: the request is answered with the
 * status.
 * @since 2.4.4
 */
export class BodyRefused extends Error {
  /** Identifies the class, see {@link isBodyRefused}. */
  override readonly name = 'BodyRefused'
  /** The status of the response. */
  readonly status: Outcome

  /**
   * @param message the reason, for code that catches the error @param status of the response, from 400 to 599
   */
  constructor(message: string, status: Outcome) {
    super(message)
    this.status = status
  }
}

/**
 * Distinguishes rejected bodies from other errors. Works for errors of other copies of this package.
 * @since 2.4.4
 */
export function isBodyRefused(error: unknown): error is BodyRefused {
  return error instanceof Error && error.name === 'BodyRefused' && 'status' in error && typeof error.status === 'number'
}
