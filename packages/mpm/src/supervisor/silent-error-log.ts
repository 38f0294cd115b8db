/**
 * Workers report the failure one after another, and again after a short recovery: the same report is not
 * repeated within this time (ms).
 */
const SAME_TROUBLE = 60_000

/**
 * Reports to where the server was started, or to its service manager, that the error log does not accept
 * lines.
 */
export class SilentErrorLog {
  readonly #print: (line: string) => void
  #last = ''
  #heard = Number.NEGATIVE_INFINITY

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  report(lines: readonly string[]): void {
    const text = lines.join('\n')
    const now = performance.now()
    const isKnown = text === this.#last && now - this.#heard < SAME_TROUBLE
    this.#last = text
    this.#heard = now
    if (!isKnown) for (const line of lines) this.#print(line)
  }
}
