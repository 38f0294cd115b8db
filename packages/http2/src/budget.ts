/**
 * What a client may do that costs this side more than it costs the client. The budget refills with time; a client that
 * uses it up is disconnected.
 */
export class Budget {
  readonly #most: number
  /** Per millisecond. */
  readonly #rate: number
  #left: number
  #filledAt: number

  /**
   * @param most how much can be spent at once
   * @param perSecond how much is added per second
   * @param now ms
   */
  constructor(most: number, perSecond: number, now: number) {
    this.#most = most
    this.#rate = perSecond / 1000
    this.#left = most
    this.#filledAt = now
  }

  /** @returns false if there was less left */
  spend(amount: number, now: number): boolean {
    this.#left = Math.min(this.#most, this.#left + (now - this.#filledAt) * this.#rate)
    this.#filledAt = now
    this.#left -= amount
    return this.#left >= 0
  }

  /** Gives back what useful work has earned. */
  earn(amount: number): void {
    this.#left = Math.min(this.#most, this.#left + amount)
  }
}
