import type { Statuses } from '../roles/messages.ts'

/** A worker's questions for the numbers of all workers, while the supervisor collects them. */
export class StatusQuestions {
  readonly #send: (id: number) => void
  readonly #waiting = new Map<number, (statuses: Statuses) => void>()
  #last = 0

  constructor(send: (id: number) => void) {
    this.#send = send
  }

  ask(): Promise<Statuses> {
    const id = ++this.#last
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#send(id)
    })
  }

  answer(id: number, statuses: Statuses): void {
    this.#waiting.get(id)?.(statuses)
    this.#waiting.delete(id)
  }
}
