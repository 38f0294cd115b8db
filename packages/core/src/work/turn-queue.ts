/** A request that waits for its turn. */
interface Waiting {
  /** Milliseconds of computing that the request has used. */
  readonly used: number
  readonly resume: () => void
}

/** Provides the time, and runs a function in the next turn of the event loop; tests replace it. */
export interface LoopClock {
  /** Milliseconds, from an arbitrary start. */
  now(): number
  /**
   * Milliseconds of processor time that this thread has used, from an arbitrary start. Time used by other
   * programs is not charged to a request.
   */
  used(): number
  nextTurn(act: () => void): void
}

const EVENT_LOOP: LoopClock = {
  now: () => performance.now(),
  used: () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
  nextTurn: (act) => {
    setImmediate(act)
  },
}

/**
 * Shares the turns of the event loop among requests with long computations. All of them share one turn, so
 * other requests wait for one slice at most, however many there are. The request that has used the least time
 * runs next, so that a request of ordinary cost does not queue behind expensive ones.
 */
export class TurnQueue {
  readonly #clock: LoopClock
  readonly #waiting: Waiting[] = []
  /** The first and last measurement of computing in the present turn; null before the first. */
  #turn: { readonly began: number; last: number; readonly usedBefore: number; used: number } | null = null
  #isArmed = false

  constructor(clock: LoopClock = EVENT_LOOP) {
    this.#clock = clock
  }

  /** Milliseconds of processor time since it was last measured in this turn. */
  measure(): number {
    if (this.#turn === null) {
      this.#begin()
      return 0
    }
    this.#turn.last = this.#clock.now()
    const used = this.#clock.used()
    const spent = used - this.#turn.used
    this.#turn.used = used
    return spent
  }

  /**
   * Milliseconds that computing has taken in this turn up to the last measurement, which is how long others
   * have waited.
   */
  get taken(): number {
    return this.#turn === null ? 0 : this.#turn.last - this.#turn.began
  }

  /** Milliseconds of processor time that computing has used in this turn up to the last measurement. */
  get used(): number {
    return this.#turn === null ? 0 : this.#turn.used - this.#turn.usedBefore
  }

  /** Settles in a later turn. @param used milliseconds of computing that the request has used */
  wait(used: number): Promise<void> {
    return new Promise((resume) => {
      this.#waiting.push({ used, resume })
      this.#arm()
    })
  }

  #begin(): void {
    const now = this.#clock.now()
    const used = this.#clock.used()
    this.#turn = { began: now, last: now, usedBefore: used, used }
    this.#arm()
  }

  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    this.#clock.nextTurn(this.#next)
  }

  readonly #next = (): void => {
    this.#isArmed = false
    this.#turn = null
    let least: Waiting | undefined
    for (const one of this.#waiting) if (least === undefined || one.used < least.used) least = one
    if (least === undefined) return
    this.#waiting.splice(this.#waiting.indexOf(least), 1)
    // Its current work is measured from the beginning of this turn.
    this.#begin()
    least.resume()
  }
}
