import type { LoopClock } from '@gatewright/core'

/**
 * A clock on which every look at it finds that a slice of computing is over, whatever the machine's speed. So requests with long lists of rules give way as often as they can.
 * @param perLook milliseconds that pass from one look to the next
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
