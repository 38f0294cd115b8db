/** Number of classes: the last one begins at about 18 minutes. */
const CLASSES = 31

/** Counts durations by powers of two: class n has those from 2^n to 2^(n+1) microseconds, class 0 also shorter ones. */
export class LatencyHistogram {
  readonly #counts: Uint32Array

  constructor() {
    this.#counts = new Uint32Array(CLASSES)
  }

  /** Counts a duration in microseconds. */
  record(microseconds: number): void {
    this.#counts[Math.min(CLASSES - 1, 31 - Math.clz32(microseconds | 1))]++
  }

  /** A copy of the counts. */
  counts(): readonly number[] {
    return [...this.#counts]
  }
}
