import type { StartTerminal } from '@gatewright/api'
import type { TerminalAnswer, TerminalRequest } from './messages.ts'

/** The terminal of the process that started this one, reached by messages. */
export class RemoteTerminal implements StartTerminal {
  readonly #send: (message: TerminalRequest) => void
  readonly #waiting = new Map<number, (line: string | null) => void>()
  #last = 0

  constructor(send: (message: TerminalRequest) => void) {
    this.#send = send
  }

  show(text: string): void {
    this.#send({ type: 'show', text })
  }

  askSecret(prompt: string): Promise<string | null> {
    return new Promise((resolve) => {
      const id = ++this.#last
      this.#waiting.set(id, resolve)
      this.#send({ type: 'askSecret', id, prompt })
    })
  }

  answered({ id, line }: TerminalAnswer): void {
    this.#waiting.get(id)?.(line)
    this.#waiting.delete(id)
  }

  /** Nobody will answer any more. */
  close(): void {
    for (const resolve of this.#waiting.values()) resolve(null)
    this.#waiting.clear()
  }
}

/** Does what a child requests at a terminal; without one, questions have no answer. */
export function serveTerminal(
  terminal: StartTerminal | null,
  request: TerminalRequest,
  answer: (message: TerminalAnswer) => void,
): void {
  if (request.type === 'show') {
    terminal?.show(request.text)
    return
  }
  const { id, prompt } = request
  const line = terminal === null ? Promise.resolve(null) : terminal.askSecret(prompt)
  line.then(
    (line) => answer({ type: 'answer', id, line }),
    () => answer({ type: 'answer', id, line: null }),
  )
}
