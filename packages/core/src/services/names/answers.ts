import type { MaybePromise } from '@gatewright/api'
import { LRUCache } from 'lru-cache'

/** The result of a query: names or addresses, none if there are none or no server responded. */
export interface Answer {
  readonly values: readonly string[]
  /** Milliseconds for which it may be cached. */
  readonly lifetime: number
}

export interface AnswersOptions {
  /** Maximum number of cached results; beyond it, the least recently used one is dropped. */
  readonly entries: number
  /** Maximum number of pending queries; beyond it, a query has no result. */
  readonly underWay: number
  /** Called for each query that is not sent because too many are pending. */
  readonly onRefused: () => void
  /** Milliseconds after which a query times out. */
  readonly patience: number
  /** Monotonic milliseconds from any origin. */
  readonly now: () => number
}

const NONE: readonly string[] = []

/**
 * The result of a query that was not sent or timed out. It differs from an empty result: another query might
 * succeed.
 */
export const UNANSWERED: readonly string[] = []

/**
 * Queries to a service that may be slow: identical concurrent queries are sent once, and the result is cached
 * for its lifetime.
 */
export class Answers {
  readonly #options: AnswersOptions
  readonly #known: LRUCache<string, readonly string[]>
  readonly #pending = new Map<string, Promise<readonly string[]>>()

  constructor(options: AnswersOptions) {
    this.#options = options
    this.#known = new LRUCache({ max: options.entries, perf: { now: options.now }, ttlResolution: 0 })
  }

  /** @param ask sends the query; if it takes longer than the timeout, it still counts as pending */
  of(question: string, ask: () => Promise<Answer>): MaybePromise<readonly string[]> {
    const known = this.#known.get(question)
    if (known !== undefined) return known
    const pending = this.#pending.get(question)
    if (pending !== undefined) return pending
    if (this.#pending.size >= this.#options.underWay) {
      this.#options.onRefused()
      return UNANSWERED
    }
    const remembered = this.#remembered(question, ask)
    const answer = this.#inTime(remembered)
    this.#pending.set(question, answer)
    remembered.then(() => this.#pending.delete(question))
    return answer
  }

  /** Never rejects. */
  async #remembered(question: string, ask: () => Promise<Answer>): Promise<readonly string[]> {
    try {
      const { values, lifetime } = await ask()
      // The cache takes 0 for ever.
      if (lifetime > 0) this.#known.set(question, values, { ttl: lifetime })
      return values
    } catch {
      return NONE
    }
  }

  #inTime(answer: Promise<readonly string[]>): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#options.patience, UNANSWERED)
      answer.then((values) => {
        clearTimeout(timer)
        resolve(values)
      })
    })
  }
}
