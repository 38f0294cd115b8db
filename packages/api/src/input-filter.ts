import type { Outcome } from './outcome.ts'
import type { Request } from './request.ts'

/**
 * Changes request bodies between the network and whoever reads them. It is asked once for each body that is read, when the first of it is wanted, and neither for
 * requests without a body nor for bodies that are read and dropped. Since API 2.4.4.
 * @suppliedByModules
 */
export interface InputFilter {
  /** For messages; in capitals, as httpd's are. */
  readonly name: string
  /**
   * One of {@link FILTER_RANK}, or a number near it. A body passes filters of higher rank first, and of equal rank the one that was added last: the other way round than responses,
   * as in httpd.
   */
  readonly rank: number
  /**
   * @param body to be read once, at the pace of whoever reads what is returned; its chunks are good until the next one is asked for
   * @returns the body that takes its place; `body` itself when it stays as it is
   * @throws BodyRefused, also while the returned body is read, when the request is to be answered with a status
   */
  filter(request: Request, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

/**
 * A request body that cannot be used: too long, malformed. A filter throws it and has logged why; whoever reads the body lets it pass, and the request is answered with
 * the status. Since API 2.4.4.
 */
export class BodyRefused extends Error {
  /** What it is recognised by. */
  override readonly name = 'BodyRefused'
  /** What the request is answered with. */
  readonly status: Outcome

  /**
   * @param message why, for whoever catches it
   * @param status what the request is answered with, of 400 to 599
   */
  constructor(message: string, status: Outcome) {
    super(message)
    this.status = status
  }
}

/** Tells refused bodies from other errors, in whichever copy of this package they were made. Since API 2.4.4. */
export function isBodyRefused(error: unknown): error is BodyRefused {
  return error instanceof Error && error.name === 'BodyRefused' && 'status' in error && typeof error.status === 'number'
}
