/** How long a server is left alone after its first failure, and at most (ms). */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 30_000

/** What a breaker has seen. */
export interface BreakerFigures {
  /** `open` while the server is left alone. */
  readonly state: 'closed' | 'open'
  /** Operations that failed. */
  readonly failures: number
  /** Operations that were not tried, because the server was left alone. */
  readonly skipped: number
}

/**
 * Leaves a server alone that does not answer, so that requests do not wait for it: first for a second, then twice as long
 * after each failure, 30 seconds at most. After each pause, one operation tries it.
 */
export class Breaker {
  readonly #now: () => number
  readonly #counted: (what: 'failed' | 'skipped') => void
  readonly #opened: (error: Error) => void
  readonly #closed: () => void
  #pause = 0
  #until = 0
  #trying = false
  #failures = 0
  #skipped = 0

  /**
   * @param opened called once when the server is first left alone
   * @param closed called once when it answers again
   * @param now a monotonic clock in milliseconds
   * @param counted called for each operation that failed or was not tried
   */
  constructor(
    opened: (error: Error) => void,
    closed: () => void,
    now: () => number = () => performance.now(),
    counted: (what: 'failed' | 'skipped') => void = () => undefined,
  ) {
    this.#counted = counted
    this.#opened = opened
    this.#closed = closed
    this.#now = now
  }

  /** Whether an operation would be tried now. */
  get isReady(): boolean {
    return this.#pause === 0 || (!this.#trying && this.#now() >= this.#until)
  }

  /** Tries an operation. @returns undefined, without trying, while the server is left alone, and if it fails */
  async run<T>(operation: () => Promise<T>): Promise<T | undefined> {
    if (!this.isReady) {
      this.#skipped++
      this.#counted('skipped')
      return undefined
    }
    this.#trying = this.#pause > 0
    try {
      const result = await operation()
      this.#succeeded()
      return result
    } catch (error) {
      this.#failed(error instanceof Error ? error : new Error(String(error)))
      return undefined
    } finally {
      this.#trying = false
    }
  }

  figures(): BreakerFigures {
    return { state: this.#pause === 0 ? 'closed' : 'open', failures: this.#failures, skipped: this.#skipped }
  }

  #succeeded(): void {
    if (this.#pause === 0) return
    this.#pause = 0
    this.#closed()
  }

  #failed(error: Error): void {
    this.#failures++
    this.#counted('failed')
    const now = this.#now()
    // Several operations may have been under way: together they count once.
    if (this.#pause > 0 && now < this.#until) return
    const isFirst = this.#pause === 0
    this.#pause = isFirst ? FIRST_PAUSE : Math.min(2 * this.#pause, LONGEST_PAUSE)
    this.#until = now + this.#pause
    if (isFirst) this.#opened(error)
  }
}
