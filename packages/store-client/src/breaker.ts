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

/** The server was left alone: nothing was tried. */
export class LeftAlone extends Error {
  override readonly name = 'LeftAlone'
}

/** What a breaker may do differently. */
export interface BreakerRules {
  /** How long a server is left alone at most, in milliseconds. */
  readonly longestPause?: number
  /** The failures after which a server that has answered so far is left alone: all if absent. */
  readonly opensFor?: (error: Error) => boolean
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
  readonly #longestPause: number
  readonly #opensFor: (error: Error) => boolean
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
    { longestPause = LONGEST_PAUSE, opensFor = () => true }: BreakerRules = {},
  ) {
    this.#longestPause = longestPause
    this.#opensFor = opensFor
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
    try {
      return await this.attempt(operation)
    } catch {
      return undefined
    }
  }

  /** Tries an operation. @returns rejects with its error, or with {@link LeftAlone} while the server is left alone */
  async attempt<T>(operation: () => Promise<T>): Promise<T> {
    if (!this.isReady) {
      this.#skipped++
      this.#counted('skipped')
      throw new LeftAlone('it did not answer a moment ago, and is left alone')
    }
    this.#trying = this.#pause > 0
    try {
      const result = await operation()
      this.#succeeded()
      return result
    } catch (error) {
      this.#failed(error instanceof Error ? error : new Error(String(error)))
      throw error
    } finally {
      this.#trying = false
    }
  }

  /** Counts a failure that was noticed after the operation, such as silence on a connection that was opened. */
  failedLater(error: Error): void {
    this.#failed(error)
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
    if (isFirst && !this.#opensFor(error)) return
    this.#pause = isFirst ? FIRST_PAUSE : Math.min(2 * this.#pause, this.#longestPause)
    this.#until = now + this.#pause
    if (isFirst) this.#opened(error)
  }
}
