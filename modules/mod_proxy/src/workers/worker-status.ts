/** The states of a worker, one bit each, as `status=` and the pages of status name them. */
export const DISABLED = 1
export const STOPPED = 2
/** Failures do not put the worker in the error state. */
export const IGNORES_ERRORS = 4
/** Serves only the sessions that it has. */
export const DRAINING = 8
/** Serves when no other member can. */
export const HOT_STANDBY = 16
/** Serves instead of a member that cannot. */
export const HOT_SPARE = 32
export const IN_ERROR = 64
/** Its health checks fail. */
export const FAILS_CHECKS = 128

/** A worker in one of these states gets no requests. */
export const NOT_USABLE: number = DISABLED | STOPPED | IN_ERROR | FAILS_CHECKS

const LETTERS: ReadonlyMap<string, number> = new Map([
  ['d', DISABLED],
  ['s', STOPPED],
  ['i', IGNORES_ERRORS],
  ['n', DRAINING],
  ['h', HOT_STANDBY],
  ['r', HOT_SPARE],
  ['e', IN_ERROR],
  ['c', FAILS_CHECKS],
  // Initialized and free, which no line changes.
  ['o', 0],
  ['f', 0],
  // In shutdown: it gets no requests.
  ['u', STOPPED],
])

/**
 * Sets the states that letters name, or clears them after a minus.
 * @returns the states; undefined for a letter that names none
 */
export function changedStatus(status: number, letters: string): number | undefined {
  let result = status
  let on = true
  for (const letter of letters) {
    if (letter === '+' || letter === '-') {
      on = letter === '+'
      continue
    }
    const bit = LETTERS.get(letter.toLowerCase())
    if (bit === undefined) return undefined
    result = on ? result | bit : result & ~bit
  }
  return result
}
