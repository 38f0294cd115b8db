/** What a hook of this line returns: OK, DECLINED, DONE or an HTTP status as a bare number. */
export type Outcome = number

/** The phase is handled, or nothing stands against going on. */
export const OK: Outcome = 0
/** Not mine. */
export const DECLINED: Outcome = -1
/** The response is complete. */
export const DONE: Outcome = -2

export const HTTP_UNAUTHORIZED: Outcome = 401
export const HTTP_FORBIDDEN: Outcome = 403
export const HTTP_NOT_FOUND: Outcome = 404
export const HTTP_INTERNAL_SERVER_ERROR: Outcome = 500
