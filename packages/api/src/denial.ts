import type { Outcome } from './outcome.ts'

/**
 * The answer that a provider of Require wants to its denial, instead of 403 or 401: see {@link Request.denial}.
 * @since 2.4.6
 */
export interface Denial {
  /** An error status, 400 to 599, made by {@link httpStatus}, such as 429. Its ErrorDocument applies. */
  readonly status: Outcome
  /** Further fields of the answer by name, such as Retry-After. */
  readonly fields?: Readonly<Record<string, string>>
}

/**
 * The page of one error status, in place of ErrorDocument: httpd's `ap_custom_response` with a text.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface CustomResponse {
  /** Another status has its usual page. */
  readonly status: Outcome
  /** HTML, one byte for each character. */
  readonly text: string
}
