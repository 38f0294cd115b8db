import type { Statuses } from '../roles/messages.ts'

/** A worker's questions for the numbers of all workers, while the supervisor collects them. What is asked in one turn of the event loop is one question. */
export class StatusQuestions {
  readonly #send: (id: number) => void
  readonly #waiting = new Map<number, PromiseWithResolvers<Statuses>>()
  /** Asked in this turn, and not sent yet. */
  #next: PromiseWithResolvers<Statuses> | null = null
  #last = 0

  constructor(send: (id: number) => void) {
    this.#send = send
  }

  ask(): Promise<Statuses> {
    if (this.#next === null) {
      this.#next = Promise.withResolvers<Statuses>()
      setImmediate(() => this.#sendNext())
    }
    return this.#next.promise
  }

  answer(id: number, statuses: Statuses): void {
    this.#waiting.get(id)?.resolve(statuses)
    this.#waiting.delete(id)
  }

  #sendNext(): void {
    if (this.#next === null) return
    const id = ++this.#last
    this.#waiting.set(id, this.#next)
    this.#next = null
    this.#send(id)
  }
}
