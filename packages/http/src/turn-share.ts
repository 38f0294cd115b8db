import { armTurnEnd, onTurnEnd } from './turn.ts'
import { flushHeld } from './turn-end.ts'

/** A connection whose bytes wait for a later turn of the event loop. */
export interface Postponed {
  proceed(): void
}

/** Milliseconds in which one turn takes in what clients have sent, after the first reads. */
const SHARE = 4

/** The clock is read once for so many reads: turns with fewer do not need it. */
const READS_PER_LOOK = 8

/**
 * Limits the time that one turn of the event loop spends with what clients have sent. When a thousand requests arrive at once, Node
 * offers all of them in one turn, and everything else, such as timers and the replies of directories and backends, would wait for
 * the last one.
 */
export class TurnShare {
  readonly #now: () => number
  #reads = 0
  #begin = 0
  #isSpent = false
  readonly #waiting: Postponed[] = []

  /** @param now milliseconds of a clock that only advances */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a read. @returns whether its bytes are used in this turn; otherwise postpone them, after all that wait already */
  takesRead(): boolean {
    return this.#waiting.length === 0 && this.#takes()
  }

  /** Calls `proceed` in a later turn. */
  postpone(connection: Postponed): void {
    this.#waiting.push(connection)
    armTurnEnd()
  }

  /** A turn has ended: those who wait are the first of the next one. */
  end(): void {
    this.#reads = 0
    this.#isSpent = false
    if (this.#waiting.length === 0) return
    // Before the calls, so that the others have their turn after one that throws.
    armTurnEnd()
    while (this.#waiting.length > 0 && this.#takes()) this.#waiting.shift()?.proceed()
    flushHeld()
  }

  #takes(): boolean {
    if (this.#isSpent) return false
    this.#reads++
    if (this.#reads === 1) armTurnEnd()
    if (this.#reads % READS_PER_LOOK !== 0) return true
    const now = this.#now()
    if (this.#reads === READS_PER_LOOK) this.#begin = now
    else this.#isSpent = now - this.#begin >= SHARE
    return true
  }
}

/** That of this process, whose connections share one event loop. */
export const turnShare: TurnShare = new TurnShare(() => performance.now())

onTurnEnd(() => turnShare.end())
