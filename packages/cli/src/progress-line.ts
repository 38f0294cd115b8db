import { writeSync } from 'node:fs'

/** Shortest time between two states that are shown (ms). */
const PACE = 100

/** A line at the bottom of a terminal that says how far something has come. */
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

  /** Makes room for lines that stay. */
  clear(): void {
    if (!this.#isThere) return
    this.#isThere = false
    writeSync(2, '\r\x1b[K')
  }
}
