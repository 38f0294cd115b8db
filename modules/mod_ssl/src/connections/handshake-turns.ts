/** Handshakes that are begun in one turn of the event loop: each takes it half a millisecond. */
const PER_TURN = 4

/**
 * Begins handshakes a few per turn, so that many new connections at once do not hold up the requests of
 * others.
 */
export class HandshakeTurns {
  #begunInTurn = 0
  #waiting: (() => void)[] = []
  #scheduled = false

  /** Calls `begin` now, or in a later turn. */
  take(begin: () => void): void {
    if (this.#begunInTurn < PER_TURN && this.#waiting.length === 0) {
      this.#begunInTurn++
      begin()
    } else this.#waiting.push(begin)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#nextTurn)
  }

  readonly #nextTurn = (): void => {
    this.#scheduled = false
    const due = this.#waiting.splice(0, PER_TURN)
    this.#begunInTurn = due.length
    if (due.length > 0) this.#schedule()
    for (const begin of due) begin()
  }
}
