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

/**
 * Continues with a value when it is known: at once if it is not a promise, so that a request without waiting
 * hooks stays synchronous. In code that every request runs, test `value instanceof Promise` instead, which
 * needs no closure.
 * @param next receives the settled value; if the promise rejects, so does the result
 * @since 2.4.5
 */
export function whenSettled<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

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

/** 200: answers with the built-in page. A handler that made its own response returns {@link OK}. */
export const HTTP_OK: Outcome = outcome(200)
/** 301; `headersOut` contains the Location. */
export const HTTP_MOVED_PERMANENTLY: Outcome = outcome(301)
/** 302; `headersOut` contains the Location. */
export const HTTP_MOVED_TEMPORARILY: Outcome = outcome(302)
/** 304. */
export const HTTP_NOT_MODIFIED: Outcome = outcome(304)
/** 400. */
export const HTTP_BAD_REQUEST: Outcome = outcome(400)
/** 401; the module of the AuthType adds the challenge. */
export const HTTP_UNAUTHORIZED: Outcome = outcome(401)
/** 403. */
export const HTTP_FORBIDDEN: Outcome = outcome(403)
/** 404. */
export const HTTP_NOT_FOUND: Outcome = outcome(404)
/** 405; `Request.allowed` contains the methods. */
export const HTTP_METHOD_NOT_ALLOWED: Outcome = outcome(405)
/** 412. */
export const HTTP_PRECONDITION_FAILED: Outcome = outcome(412)
/** 413. */
export const HTTP_REQUEST_ENTITY_TOO_LARGE: Outcome = outcome(413)
/** 500. */
export const HTTP_INTERNAL_SERVER_ERROR: Outcome = outcome(500)
/** 501. */
export const HTTP_NOT_IMPLEMENTED: Outcome = outcome(501)
/** 503. */
export const HTTP_SERVICE_UNAVAILABLE: Outcome = outcome(503)
