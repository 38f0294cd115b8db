/**
 * Results of asynchronous look-ups, by question. Few rules need any, so the table is created on first use.
 */
export class Answers<T> {
  #known: Map<string, T | null> | null = null

  /** undefined if there is no result yet; null if the look-up found nothing. */
  get(question: string): T | null | undefined {
    return this.#known?.get(question)
  }

  set(question: string, answer: T | null): void {
    this.#known ??= new Map()
    this.#known.set(question, answer)
  }

  clear(): void {
    this.#known = null
  }
}
