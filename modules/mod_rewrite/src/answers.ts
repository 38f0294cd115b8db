/** Answers that were waited for, by question. Few rules ask anything, so the table is made when it is needed. */
export class Answers<T> {
  #known: Map<string, T | null> | null = null

  /** undefined when the question was not answered yet; null when there is no answer. */
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
