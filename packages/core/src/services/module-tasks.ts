import { errorMessage } from '../base/error-text.ts'

/** The tasks of modules that run in one of the server's processes. */
export class ModuleTasks {
  readonly #starts: (() => () => void)[] = []
  readonly #report: (text: string) => void

  /** @param report logs what a task has thrown */
  constructor(report: (text: string) => void) {
    this.#report = report
  }

  add(start: () => () => void): void {
    this.#starts.push(start)
  }

  /** @returns the function that ends them, which may be called again */
  start(): () => void {
    const ends: (() => void)[] = []
    for (const start of this.#starts) {
      this.#guarded(() => {
        ends.push(start())
      })
    }
    return () => {
      for (const end of ends.splice(0)) this.#guarded(end)
    }
  }

  #guarded(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#report(`a task of a module failed: ${errorMessage(error)}`)
    }
  }
}
