import type { Plan } from '@gatewright/core'

/** Time limit for the connections of a generation that is replaced (ms), unless Timeout is longer. */
const DRAIN_LIMIT = 60_000
/** The longest time that a timer supports. */
const FOR_EVER = 2 ** 31 - 1

/** Milliseconds until the connections of a generation that is replaced are closed. */
export function drainLimit(plan: Plan): number {
  return plan.gracefulShutdownTimeout > 0 ? plan.gracefulShutdownTimeout * 1000 : Math.max(plan.timeout, DRAIN_LIMIT)
}

/**
 * Milliseconds until connections are closed in a graceful stop: GracefulShutdownTimeout, in which 0 means no
 * limit.
 */
export function gracefulStopLimit(plan: Plan): number {
  return plan.gracefulShutdownTimeout > 0 ? plan.gracefulShutdownTimeout * 1000 : FOR_EVER
}
