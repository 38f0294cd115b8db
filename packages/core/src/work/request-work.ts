import { type DirectivePlace, RequestTooExpensive, type Work } from '@gatewright/api'
import { timedMatches } from '@gatewright/expr'
import type { TurnQueue } from './turn-queue.ts'

/** In milliseconds: how long others wait for requests that compute. */
const SLICE = 20
/**
 * The same if the caller cannot wait: expressions that look up another URL are evaluated in one go. Such work fails
 * after its slice, so processor time counts: a busy machine must not change the response.
 */
const SLICE_IN_ONE_GO = 100
/** What a function that cannot wait may use in any case, however much others have used in the same turn. */
const LEAST_IN_ONE_GO = 20
/** Steps between readings of the clock. */
const STEPS = 64

/** The default of LimitComputingTime, in milliseconds. */
export const STANDARD_COMPUTING_TIME = 10_000

/** The computing time of one client's request, with all of its sub-requests and internal redirects. */
export class RequestWork implements Work {
  readonly #turns: TurnQueue
  /** In milliseconds; Infinity for no limit. */
  readonly #limit: number
  #left = STEPS
  #used = 0
  #matches: number = timedMatches.count
  #cannotWait = 0
  /** What the request had used when it called the function that cannot wait. */
  #usedBefore = 0

  constructor(turns: TurnQueue, limit: number) {
    this.#turns = turns
    this.#limit = limit
  }

  spend(steps = 1): boolean {
    this.#left -= steps
    return (this.#left <= 0 || this.#matches !== timedMatches.count) && this.#look()
  }

  pause(place?: DirectivePlace): Promise<void> {
    if (this.#used >= this.#limit) return Promise.reject(tooLong(this.#limit, place))
    // Some steps run in each turn, even on a busy machine.
    this.#left = STEPS
    this.#matches = timedMatches.count
    return this.#turns.wait(this.#used)
  }

  /** Runs a function that cannot wait: its work must pause only if it takes far longer than a slice. */
  inOneGo<T>(act: () => T): T {
    if (this.#cannotWait++ === 0) {
      this.#used += this.#turns.measure()
      this.#usedBefore = this.#used
    }
    try {
      return act()
    } finally {
      this.#cannotWait--
    }
  }

  /** Whether a function that cannot wait is running. */
  get isInOneGo(): boolean {
    return this.#cannotWait > 0
  }

  #look(): boolean {
    this.#left = STEPS
    this.#matches = timedMatches.count
    this.#used += this.#turns.measure()
    const isOver = this.#cannotWait > 0 ? this.#isTooLongForOneGo() : this.#turns.taken >= SLICE
    // Until the next pause, every step reads the clock.
    if (isOver) this.#left = 0
    return isOver
  }

  #isTooLongForOneGo(): boolean {
    return this.#turns.used >= SLICE_IN_ONE_GO && this.#used - this.#usedBefore >= LEAST_IN_ONE_GO
  }
}

function tooLong(limit: number, place: DirectivePlace | undefined): RequestTooExpensive {
  return new RequestTooExpensive(
    `the request was ended after ${limit / 1000} s of computing, which is all that LimitComputingTime allows`,
    place,
  )
}
