import type { StartTerminal } from '@gatewright/api'
import type { LoadOptions } from './contract.ts'

/** What a start-up function waits for that depends on a person, who may take as long as it takes. */
export class PersonWait {
  readonly terminal: StartTerminal | null
  readonly #onChange: (isWaiting: boolean) => void
  #pending = 0
  #hasWaited = false

  constructor({ terminal, onWaitingForPerson }: Pick<LoadOptions, 'terminal' | 'onWaitingForPerson'>) {
    this.#onChange = onWaitingForPerson ?? (() => undefined)
    this.terminal =
      terminal === undefined
        ? null
        : {
            show: (text) => terminal.show(text),
            askSecret: (prompt) => this.during(terminal.askSecret(prompt)),
          }
  }

  /** Awaits an action; meanwhile, no time limit of the start counts. */
  async during<T>(action: PromiseLike<T>): Promise<T> {
    this.#hasWaited = true
    if (this.#pending++ === 0) this.#onChange(true)
    try {
      return await action
    } finally {
      if (--this.#pending === 0) this.#onChange(false)
    }
  }

  /** Whether a person had to act since the last call, or has to now. */
  takeWaited(): boolean {
    const hasWaited = this.#hasWaited
    this.#hasWaited = this.#pending > 0
    return hasWaited
  }
}
