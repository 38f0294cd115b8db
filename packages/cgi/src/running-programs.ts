/** Programs that run at a time for one process of the server: about as many as httpd has requests (MaxRequestWorkers). */
export const MOST_PROGRAMS = 150

/** Limits how many programs run at a time, and counts them. */
export class RunningPrograms {
  running = 0
  readonly #count: (kind: 'running' | 'started', amount: number) => void
  readonly #waiting: ((mayStart: boolean) => void)[] = []

  /** @param count adds to the figures of the server */
  constructor(count: (kind: 'running' | 'started', amount: number) => void) {
    this.#count = count
  }

  /** Waits for a place, for at most `limit` ms; false if there is none. */
  enter(limit: number): Promise<boolean> {
    if (this.running < MOST_PROGRAMS) {
      this.#enter()
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const wake = (mayStart: boolean): void => {
        clearTimeout(timer)
        resolve(mayStart)
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(wake), 1)
        resolve(false)
      }, limit)
      this.#waiting.push(wake)
    })
  }

  leave(): void {
    this.running--
    this.#count('running', -1)
    const next = this.#waiting.shift()
    if (next === undefined) return
    this.#enter()
    next(true)
  }

  #enter(): void {
    this.running++
    this.#count('running', 1)
    this.#count('started', 1)
  }
}
