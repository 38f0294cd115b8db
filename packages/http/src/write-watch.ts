import type { Transport } from './transport.ts'

/**
 * Interval in ms between checks of a response's progress; shorter with a short Timeout. Querying the system
 * about thousands of slow readers at each tick of the engine would cost more than serving them.
 */
const CHECK_INTERVAL = 1000

/**
 * Measures whether and how fast a client receives a pending response. Times are those of the engine's clock.
 */
export class WriteWatch {
  /** Bytes per second that the client has received lately; Infinity until that is known. */
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
   * Whether the client has received nothing for the whole of Timeout.
   * @param written bytes that were passed to the transport, some of which it may not have sent
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
   * The system accepts a slow client's response in large portions: the latest interval counts half, the
   * earlier ones the other half.
   */
  #measure(taken: number, now: number): void {
    if (this.#taken >= 0) {
      const pace = Math.max(0, ((taken - this.#taken) * 1000) / (now - this.#lastLook))
      this.pace = this.pace === Number.POSITIVE_INFINITY ? pace : (this.pace + pace) / 2
    }
    this.#lastLook = now
  }
}
