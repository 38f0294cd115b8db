/** Workers notice one after the other, and again whenever there was room for a moment: the same within so long (ms) is not told again. */
const SAME_TROUBLE = 60_000

/** Tells where the server was started, or its service manager, what the error log cannot say because it takes no lines. */
export class SilentErrorLog {
  readonly #print: (line: string) => void
  #last = ''
  #heard = Number.NEGATIVE_INFINITY

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  tell(lines: readonly string[]): void {
    const text = lines.join('\n')
    const now = performance.now()
    const isKnown = text === this.#last && now - this.#heard < SAME_TROUBLE
    this.#last = text
    this.#heard = now
    if (!isKnown) for (const line of lines) this.#print(line)
  }
}
