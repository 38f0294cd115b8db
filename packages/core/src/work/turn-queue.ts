/** What waits for its turn. */
interface Waiting {
  /** Milliseconds of computing that it has used. */
  readonly used: number
  readonly resume: () => void
}

/** Tells the time and runs something in the next turn of the event loop; tests have their own. */
export interface LoopClock {
  /** Milliseconds, from any beginning. */
  now(): number
  nextTurn(act: () => void): void
}

const EVENT_LOOP: LoopClock = {
  now: () => performance.now(),
  nextTurn: (act) => {
    setImmediate(act)
  },
}

/**
 * Shares the turns of the event loop among requests that compute for long. A turn belongs to all of them together, so however many there are, others wait for one slice. Who has used
 * least goes on first: a request of ordinary cost does not queue behind expensive ones.
 */
export class TurnQueue {
  private readonly clock: LoopClock
  private readonly waiting: Waiting[] = []
  /** When computing was first measured in the present turn, and last; null before. */
  private turn: { readonly began: number; last: number } | null = null
  private isArmed = false

  constructor(clock: LoopClock = EVENT_LOOP) {
    this.clock = clock
  }

  /** Milliseconds of computing since it was last measured in this turn. */
  measure(): number {
    const now = this.clock.now()
    if (this.turn === null) {
      this.begin(now)
      return 0
    }
    const elapsed = now - this.turn.last
    this.turn.last = now
    return elapsed
  }

  /** Milliseconds that computing has taken in this turn, as far as it was measured. */
  get taken(): number {
    return this.turn === null ? 0 : this.turn.last - this.turn.began
  }

  /** Settles in a later turn. @param used milliseconds of computing that the request has used */
  wait(used: number): Promise<void> {
    return new Promise((resume) => {
      this.waiting.push({ used, resume })
      this.arm()
    })
  }

  private begin(now: number): void {
    this.turn = { began: now, last: now }
    this.arm()
  }

  private arm(): void {
    if (this.isArmed) return
    this.isArmed = true
    this.clock.nextTurn(this.next)
  }

  private readonly next = (): void => {
    this.isArmed = false
    this.turn = null
    let least: Waiting | undefined
    for (const one of this.waiting) if (least === undefined || one.used < least.used) least = one
    if (least === undefined) return
    this.waiting.splice(this.waiting.indexOf(least), 1)
    // What it does now is measured from the beginning of this turn.
    this.begin(this.clock.now())
    least.resume()
  }
}
