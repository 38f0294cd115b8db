import { type DirectivePlace, RequestTooExpensive, type Work } from '@gatewright/api'
import { timedMatches } from '@gatewright/expr'
import type { TurnQueue } from './turn-queue.ts'

/** In milliseconds: how long others wait for requests that compute. */
const SLICE = 20
/** The same where the caller cannot wait: expressions that look at another URL are evaluated in one go. */
const SLICE_IN_ONE_GO = 100
/** Steps between looks at the clock. */
const STEPS = 64

/** What LimitComputingTime is unless it is said, in milliseconds. */
export const STANDARD_COMPUTING_TIME = 10_000

/** The account of one request of a client, with all of its sub-requests and internal redirects. */
export class RequestWork implements Work {
  readonly #turns: TurnQueue
  /** In milliseconds; Infinity for no limit. */
  readonly #limit: number
  #left = STEPS
  #used = 0
  #matches: number = timedMatches.count
  #cannotWait = 0

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
    // However busy the machine is, some steps are done in each turn.
    this.#left = STEPS
    this.#matches = timedMatches.count
    return this.#turns.wait(this.#used)
  }

  /** Runs a function that cannot wait: it is asked to wait only if it takes far longer than a slice. */
  inOneGo<T>(act: () => T): T {
    this.#cannotWait++
    try {
      return act()
    } finally {
      this.#cannotWait--
    }
  }

  /** True within something that cannot wait. */
  get isInOneGo(): boolean {
    return this.#cannotWait > 0
  }

  #look(): boolean {
    this.#left = STEPS
    this.#matches = timedMatches.count
    this.#used += this.#turns.measure()
    const isOver = this.#turns.taken >= (this.#cannotWait > 0 ? SLICE_IN_ONE_GO : SLICE)
    // Until somebody pauses, the next step looks again.
    if (isOver) this.#left = 0
    return isOver
  }
}

function tooLong(limit: number, place: DirectivePlace | undefined): RequestTooExpensive {
  return new RequestTooExpensive(
    `the request was ended after ${limit / 1000} s of computing, which is all that LimitComputingTime allows`,
    place,
  )
}
