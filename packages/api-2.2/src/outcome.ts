declare const outcomeBrand: unique symbol

/**
 * The result of a hook function: OK, DECLINED, DONE or an HTTP status made by {@link httpStatus}. Branded, so
 * that a bare number such as 77 does not compile as a result.
 */
export type Outcome = number & { readonly [outcomeBrand]: true }

/**
 * A value, or a promise of it if the hook has to wait. A request without waiting hooks is processed
 * synchronously.
 */
export type MaybePromise<T> = T | Promise<T>

const outcome = (value: number): Outcome => value as Outcome

/** The phase is complete (run-first hooks stop), or the request may continue (run-all hooks). */
export const OK: Outcome = outcome(0)
/** The function does not apply: the next function of the phase is called. */
export const DECLINED: Outcome = outcome(-1)
/** The response is complete: processing stops without an error. */
export const DONE: Outcome = outcome(-2)

/**
 * The outcome that answers a request with an HTTP status.
 * @throws RangeError if status is not an integer from 100 to 599.
 */
export function httpStatus(status: number): Outcome {
  if (!Number.isInteger(status) || status < 100 || status > 599) throw new RangeError(`not an HTTP status: ${status}`)
  return outcome(status)
}

export const HTTP_OK: Outcome = outcome(200)
export const HTTP_MOVED_PERMANENTLY: Outcome = outcome(301)
export const HTTP_MOVED_TEMPORARILY: Outcome = outcome(302)
export const HTTP_NOT_MODIFIED: Outcome = outcome(304)
export const HTTP_BAD_REQUEST: Outcome = outcome(400)
export const HTTP_UNAUTHORIZED: Outcome = outcome(401)
export const HTTP_FORBIDDEN: Outcome = outcome(403)
export const HTTP_NOT_FOUND: Outcome = outcome(404)
export const HTTP_METHOD_NOT_ALLOWED: Outcome = outcome(405)
export const HTTP_PRECONDITION_FAILED: Outcome = outcome(412)
export const HTTP_REQUEST_ENTITY_TOO_LARGE: Outcome = outcome(413)
export const HTTP_INTERNAL_SERVER_ERROR: Outcome = outcome(500)
export const HTTP_NOT_IMPLEMENTED: Outcome = outcome(501)
export const HTTP_SERVICE_UNAVAILABLE: Outcome = outcome(503)
