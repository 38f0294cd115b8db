/**
 * Connections in the order in which they may be displaced, as numbers: the smaller comes first. Kept-alive
 * ones come first, those that have waited longest before others; then those whose request is still being
 * read, the oldest first; then those whose client sends or takes bytes slowly, the slowest first.
 */

/** Not to be displaced: the server works for it, or its client is fast. */
export const NOT_DISPLACEABLE: number = Number.POSITIVE_INFINITY

/** The time (ms) that a client has to send its request, or to demonstrate its transfer rate. */
export const GRACE = 1000

/** Bytes per second; a client that is not slower than this is served fast. */
const FAST = 32 * 1024

/** Between two kinds; greater than any age in ms and any pace. */
const KIND = 1e12

/** @param age ms since its last answer */
export function rankOfIdle(age: number): number {
  return -age
}

/** @param age ms since the request, or the connection, began */
export function rankOfReading(age: number): number {
  return age < GRACE ? NOT_DISPLACEABLE : KIND - age
}

/** @param pace bytes per second */
export function rankOfServed(pace: number): number {
  return pace >= FAST ? NOT_DISPLACEABLE : KIND + pace
}
