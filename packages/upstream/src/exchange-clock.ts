/** Is asked from time to time whether it has made progress. */
export interface Watched {
  /** @param now ms, on the clock of performance.now */
  tick(now: number): void
}

/** How much later than its time limit an exchange may end: a part of the limit, within bounds. */
const LATENESS = 8
const SHORTEST = 10
const LONGEST = 500

/**
 * Watches the time limits of exchanges with one timer. An exchange costs no timer of its own, and progress no clock:
 * the exchange notes that there was some, and the next tick notes the time. A limit ends at most two ticks late.
 */
export class ExchangeClock {
  readonly #watched: Set<Watched>
  #interval: number
  #timer: NodeJS.Timeout | null

  constructor() {
    this.#watched = new Set()
    this.#interval = LONGEST
    this.#timer = null
  }

  /** @param limit the shortest time limit of the exchange, ms; 0 if it has none */
  add(watched: Watched, limit: number): void {
    const interval = limit === 0 ? LONGEST : Math.min(LONGEST, Math.max(SHORTEST, limit / LATENESS))
    this.#watched.add(watched)
    if (this.#timer !== null && interval >= this.#interval) return
    this.stop()
    this.#interval = interval
    this.#timer = setInterval(() => this.#tick(), interval)
    this.#timer.unref()
  }

  remove(watched: Watched): void {
    this.#watched.delete(watched)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  #tick(): void {
    // The timer outlives short pauses between exchanges, because starting it costs more than a tick.
    if (this.#watched.size === 0) this.stop()
    const now = performance.now()
    for (const watched of this.#watched) watched.tick(now)
  }
}
