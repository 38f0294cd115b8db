import type { Claim } from '../prove/claim.ts'

/** Claims spread evenly over all claims, regardless of their number. */
export class ClaimSample {
  readonly #limit: number
  #kept: Claim[] = []
  #stride = 1
  #seen = 0

  /** @param limit maximum number of claims; up to twice as many while they are collected */
  constructor(limit: number) {
    this.#limit = limit
  }

  add(claim: Claim): void {
    if (this.#limit === 0 || this.#seen++ % this.#stride !== 0) return
    this.#kept.push(claim)
    if (this.#kept.length < 2 * this.#limit) return
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0)
    this.#stride *= 2
  }

  get claims(): readonly Claim[] {
    const step = Math.max(1, this.#kept.length / this.#limit)
    if (step === 1) return this.#kept
    return this.#kept.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
  }
}
