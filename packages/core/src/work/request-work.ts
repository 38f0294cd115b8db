import { type DirectivePlace, RequestTooExpensive, type Work } from '@gatewright/api'
import { timedMatches } from '@gatewright/expr'
import type { TurnQueue } from './turn-queue.ts'

/** In milliseconds: how long others wait for requests that compute. */
const SLICE = 20
/** The same if the caller cannot wait: expressions that look up another URL are evaluated in one go. */
const SLICE_IN_ONE_GO = 100
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
    this.#cannotWait++
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
    const isOver = this.#turns.taken >= (this.#cannotWait > 0 ? SLICE_IN_ONE_GO : SLICE)
    // Until the next pause, every step reads the clock.
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
