/** A stream of choices that the same seed gives again (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 to below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) % limit
  }

  /** True so many times in a hundred. */
  percent(share: number): boolean {
    return this.below(100) < share
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]
  }

  /** Calls `make` between `least` and `most` times. */
  several<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, make)
  }
}
