import { writeSync } from 'node:fs'

/** Shortest interval between two updates (ms). */
const PACE = 100

/** A progress line at the bottom of a terminal. */
export class ProgressLine {
  readonly #mode: 'shown' | 'hidden'
  #shownAt = 0
  #isThere = false

  constructor(mode: 'shown' | 'hidden') {
    this.#mode = mode
  }

  show(text: string): void {
    if (this.#mode === 'hidden' || Date.now() - this.#shownAt < PACE) return
    this.#shownAt = Date.now()
    this.#isThere = true
    writeSync(2, `\r\x1b[K${text}`)
  }

  /** Clears the line, so that permanent lines can be printed. */
  clear(): void {
    if (!this.#isThere) return
    this.#isThere = false
    writeSync(2, '\r\x1b[K')
  }
}
