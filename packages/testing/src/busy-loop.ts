import type { LoopClock } from '@gatewright/core'

/**
 * A clock that reports the end of a time slice whenever it is read, whatever the machine's speed. Requests
 * with long lists of rules therefore yield as often as they can.
 * @param perLook milliseconds that pass from one reading to the next
 */
export function busyLoop(perLook = 25): LoopClock {
  let now = 0
  return {
    now: () => {
      now += perLook
      return now
    },
    used: () => now,
    nextTurn: (act) => {
      setImmediate(act)
    },
  }
}
