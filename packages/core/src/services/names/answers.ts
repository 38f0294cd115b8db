import type { MaybePromise } from '@gatewright/api'
import { LRUCache } from 'lru-cache'

/** What was learnt by asking: names or addresses, none when there are none or nobody could tell. */
export interface Answer {
  readonly values: readonly string[]
  /** Milliseconds for which it may be remembered. */
  readonly lifetime: number
}

export interface AnswersOptions {
  /** Answers that are remembered; beyond it, the one that was not asked for longest is forgotten. */
  readonly entries: number
  /** Questions that may be under way at a time; beyond it, a question has no answer. */
  readonly underWay: number
  /** Told of each question that is not asked because too many are under way. */
  readonly onRefused: () => void
  /** Milliseconds after which a question has no answer. */
  readonly patience: number
  /** Milliseconds from any point in time, ever growing. */
  readonly now: () => number
}

const NONE: readonly string[] = []

/** The answer to a question that was not asked, or not answered in time. It differs from no answer: somebody else might have got one. */
export const UNANSWERED: readonly string[] = []

/** Questions to somebody who may be slow: each is asked once at a time, for all who want to know, and its answer remembered for its lifetime. */
export class Answers {
  private readonly options: AnswersOptions
  private readonly known: LRUCache<string, readonly string[]>
  private readonly pending = new Map<string, Promise<readonly string[]>>()

  constructor(options: AnswersOptions) {
    this.options = options
    this.known = new LRUCache({ max: options.entries, perf: { now: options.now }, ttlResolution: 0 })
  }

  /** @param ask asks the question; it may take longer than anybody waits, and keeps its place among those under way as long */
  of(question: string, ask: () => Promise<Answer>): MaybePromise<readonly string[]> {
    const known = this.known.get(question)
    if (known !== undefined) return known
    const pending = this.pending.get(question)
    if (pending !== undefined) return pending
    if (this.pending.size >= this.options.underWay) {
      this.options.onRefused()
      return UNANSWERED
    }
    const remembered = this.remembered(question, ask)
    const answer = this.inTime(remembered)
    this.pending.set(question, answer)
    remembered.then(() => this.pending.delete(question))
    return answer
  }

  /** Never rejects. */
  private async remembered(question: string, ask: () => Promise<Answer>): Promise<readonly string[]> {
    try {
      const { values, lifetime } = await ask()
      // The cache takes 0 for ever.
      if (lifetime > 0) this.known.set(question, values, { ttl: lifetime })
      return values
    } catch {
      return NONE
    }
  }

  private inTime(answer: Promise<readonly string[]>): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.options.patience, UNANSWERED)
      answer.then((values) => {
        clearTimeout(timer)
        resolve(values)
      })
    })
  }
}
