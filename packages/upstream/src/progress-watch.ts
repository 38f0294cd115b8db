/** What has bytes to send. */
export interface Sending {
  /** Bytes that wait to be sent. */
  readonly unsentBytes: number
}

/** Measures how long an exchange has neither received nor sent anything. */
export class ProgressWatch {
  /** Set when there is progress; the next tick notes the time. */
  made: boolean
  readonly #sending: Sending
  #since: number
  #unsent: number

  constructor(sending: Sending) {
    this.made = true
    this.#sending = sending
    this.#since = 0
    this.#unsent = 0
  }

  /**
   * Whether the time is up: the backend takes nothing of what is to be sent, or sends nothing although it should.
   * @param limit ms; 0 = none
   * @param waits whether the backend should send something
   */
  stalled(now: number, limit: number, waits: boolean): 'no' | 'sending' | 'receiving' {
    const unsent = this.#sending.unsentBytes
    const moved = this.made || unsent < this.#unsent
    this.#unsent = unsent
    this.made = false
    if (moved || limit === 0 || (unsent === 0 && !waits)) {
      this.#since = now
      return 'no'
    }
    if (now - this.#since < limit) return 'no'
    return unsent > 0 ? 'sending' : 'receiving'
  }
}
