/** How fast bytes move lately. Times are those of the engine's clock. */
export class Pace {
  /** Infinity until two measurements are known. */
  bytesPerSecond: number = Number.POSITIVE_INFINITY
  #total = -1
  #measuredAt = 0

  /**
   * The latest interval counts half, the earlier ones the other half: the system accepts a slow client's response in
   * large portions.
   * @param total all bytes that have moved so far
   */
  measure(total: number, now: number): void {
    if (this.#total >= 0) {
      const latest = Math.max(0, ((total - this.#total) * 1000) / (now - this.#measuredAt))
      this.bytesPerSecond = this.bytesPerSecond === Number.POSITIVE_INFINITY ? latest : (this.bytesPerSecond + latest) / 2
    }
    this.#total = total
    this.#measuredAt = now
  }
}
