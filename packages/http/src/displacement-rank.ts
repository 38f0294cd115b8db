/**
 * Ranks of connections by the order in which they may be displaced: smaller ranks come first. Kept-alive
 * connections come first, the longest waiting before others; then those whose request is still being read,
 * the oldest first; then those whose client sends or receives bytes slowly, the slowest first.
 */

/** Not displaceable: the server is processing its request, or its client is fast. */
export const NOT_DISPLACEABLE: number = Number.POSITIVE_INFINITY

/** The time (ms) in which a client must send its request or demonstrate its transfer rate. */
export const GRACE = 1000

/** Bytes per second. A client with at least this rate counts as fast. */
const FAST = 32 * 1024

/** The distance between two kinds; greater than any age in ms and any rate. */
const KIND = 1e12

/** @param age ms since its last response */
export function rankOfIdle(age: number): number {
  return -age
}

/** @param age ms since the start of the request or connection */
export function rankOfReading(age: number): number {
  return age < GRACE ? NOT_DISPLACEABLE : KIND - age
}

/** @param pace bytes per second */
export function rankOfServed(pace: number): number {
  return pace >= FAST ? NOT_DISPLACEABLE : KIND + pace
}
