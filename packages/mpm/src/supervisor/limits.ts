import type { Plan } from '@gatewright/core'

/** Connections of a generation that is replaced may go on for this long (ms), or as long as Timeout says. */
const DRAIN_LIMIT = 60_000
/** Longest time that a timer knows. */
const FOR_EVER = 2 ** 31 - 1

/** Milliseconds that connections have while their generation is replaced. */
export function drainLimit(plan: Plan): number {
  return plan.gracefulShutdownTimeout > 0 ? plan.gracefulShutdownTimeout * 1000 : Math.max(plan.timeout, DRAIN_LIMIT)
}

/** Milliseconds that connections have in a graceful stop: GracefulShutdownTimeout, in which 0 means no limit. */
export function gracefulStopLimit(plan: Plan): number {
  return plan.gracefulShutdownTimeout > 0 ? plan.gracefulShutdownTimeout * 1000 : FOR_EVER
}
