import type { Transport } from './transport.ts'

/**
 * Interval in ms between checks of a response's progress; shorter with a short Timeout. Querying the system
 * about thousands of slow readers at each tick of the engine would cost more than serving them.
 */
const CHECK_INTERVAL = 1000

/**
 * Watches whether a client takes the answer that waits for it, and how fast. Times are those of the engine's
 * clock.
 */
export class WriteWatch {
  /** Bytes per second that the client has taken lately; Infinity until that is known. */
  pace: number
  #taken: number
  #deadline: number
  #nextCheck: number
  #lastLook: number

  constructor() {
    this.pace = Number.POSITIVE_INFINITY
    this.#taken = -1
    this.#deadline = 0
    this.#nextCheck = 0
    this.#lastLook = 0
  }

  /**
   * True when the client has taken nothing for the whole of Timeout.
   * @param written bytes that were handed to the transport, of which it may hold some back
   * @param timeout ms
   */
  isStalled(transport: Transport, written: number, timeout: number, now: number): boolean {
    if (now < this.#nextCheck) return false
    this.#nextCheck = now + Math.min(CHECK_INTERVAL, timeout / 4)
    const taken = written - transport.unsentBytes
    this.#measure(taken, now)
    if (taken === this.#taken) return now >= this.#deadline
    this.#taken = taken
    this.#deadline = now + timeout
    return false
  }

  /**
   * The system takes bytes from a slow client's answer in large portions: a look counts half, those before it
   * the other half.
   */
  #measure(taken: number, now: number): void {
    if (this.#taken >= 0) {
      const pace = Math.max(0, ((taken - this.#taken) * 1000) / (now - this.#lastLook))
      this.pace = this.pace === Number.POSITIVE_INFINITY ? pace : (this.pace + pace) / 2
    }
    this.#lastLook = now
  }
}
