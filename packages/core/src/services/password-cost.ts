import { costRank } from '@gatewright/passwd'

/**
 * The maximum time to compute one password in a thread, in microseconds of a 2020s server core. htpasswd's
 * highest bcrypt cost, 17, stays below. Longer hashes, such as `$2y$31$` with its two days, would block the
 * thread for all other clients.
 */
const LONGEST = 10_000_000

/** True if passwords are hashed for this text: one can match, and the hash does not take too long. */
export function isComputed(stored: string): boolean {
  const cost = costRank(stored)
  return cost > 0 && cost <= LONGEST
}

/** True if a password may match but is not hashed, because that takes too long. */
export function isTooCostly(stored: string): boolean {
  return costRank(stored) > LONGEST
}

/** The log message if {@link isTooCostly} is true. */
export function tooCostlyMessage(user: string | null): string {
  return (
    `the password of user ${user ?? ''} is not checked: its hash would take more than ${LONGEST / 1_000_000} s to compute; ` +
    'hint: create it again with a lower cost or fewer rounds, such as `htpasswd -B -C 12`'
  )
}

/** The text that takes longest among those for which passwords are hashed; undefined if there is none. */
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
