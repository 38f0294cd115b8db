import type { Statuses } from '../roles/messages.ts'

/**
 * A worker's requests for the figures of all workers, which the supervisor collects. Requests within one turn
 * of the event loop are combined.
 */
export class StatusQuestions {
  readonly #send: (id: number) => void
  readonly #waiting = new Map<number, PromiseWithResolvers<Statuses>>()
  /** Made in this turn, and not sent yet. */
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
