import { costRank } from '@gatewright/passwd'

/**
 * The longest that a thread computes for one password, in microseconds of a 2020s server core. htpasswd's greatest bcrypt cost, 17, stays below. Longer ones, such as
 * `$2y$31$` with its two days, would keep the thread from everybody else.
 */
const LONGEST = 10_000_000

/** True when passwords are hashed for this text: one can match, and it does not take too long. */
export function isComputed(stored: string): boolean {
  const cost = costRank(stored)
  return cost > 0 && cost <= LONGEST
}

/** True when a password may match but is not hashed, because that takes too long. */
export function isTooCostly(stored: string): boolean {
  return costRank(stored) > LONGEST
}

/** What the log says when {@link isTooCostly}. */
export function tooCostlyMessage(user: string | null): string {
  return (
    `the password of user ${user ?? ''} is not checked: its hash would take more than ${LONGEST / 1_000_000} s to compute; ` +
    'hint: make it anew with a lower cost or fewer rounds, such as `htpasswd -B -C 12`'
  )
}

/** The text that takes longest, of those for which passwords are hashed; undefined when there is none. */
export function costliestHash(hashes: Iterable<string>): string | undefined {
  let costliest: string | undefined
  let greatest = 0
  for (const stored of hashes) {
    const cost = costRank(stored)
    if (cost <= greatest || cost > LONGEST) continue
    costliest = stored
    greatest = cost
  }
  return costliest
}
