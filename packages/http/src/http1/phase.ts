/*
 * The phases of a connection. The order matters: up to READING_HEAD, the connection waits for a request; from
 * LINGERING on, it is closing.
 */

/** No byte of the first request has arrived. */
export const FRESH = 0
/** No byte of a further request has arrived. */
export const IDLE = 1
export const READING_HEAD = 2
/** The host is processing a request. */
export const BUSY = 3
/** The response is complete; the rest of the request's body is discarded before the next request. */
export const SKIPPING_BODY = 4
/** The writing side is closed. Arriving data is discarded, so that the client can read the response. */
export const LINGERING = 5
/** Closes as soon as everything is sent. */
export const CLOSING = 6
export const CLOSED = 7
