/** The death of a worker that lived for a shorter time than this (ms) causes a pause before the next one. */
const SHORT_LIFE = 1_000
/**
 * More deaths than this within the window cause a pause as well, regardless of how long the workers lived.
 */
const DEATHS = 5
const WINDOW = 10_000
const FIRST_DELAY = 1_000
const LONGEST_DELAY = 60_000

/**
 * How long to wait before a dead worker is replaced: not at all, or 1, 2, 4 ... 60 s while workers keep
 * dying.
 */
export class Backoff {
  #deaths: number[] = []
  #delay = 0

  /**
   * @param lifetime milliseconds that the dead worker lived
   * @param now milliseconds of a monotonic clock
   * @returns milliseconds to wait
   */
  delayAfterDeath(lifetime: number, now: number): number {
    this.#deaths = this.#deaths.filter((time) => now - time < WINDOW)
    this.#deaths.push(now)
    if (lifetime >= SHORT_LIFE && this.#deaths.length <= DEATHS) this.#delay = 0
    else this.#delay = Math.min(this.#delay === 0 ? FIRST_DELAY : this.#delay * 2, LONGEST_DELAY)
    return this.#delay
  }
}
