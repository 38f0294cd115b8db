import { Pace } from './pace.ts'
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
  readonly #pace: Pace
  #taken: number
  #deadline: number
  #nextCheck: number

  constructor() {
    this.#pace = new Pace()
    this.#taken = -1
    this.#deadline = 0
    this.#nextCheck = 0
  }

  /** Bytes per second that the client has received lately; Infinity until that is known. */
  get pace(): number {
    return this.#pace.bytesPerSecond
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
    this.#pace.measure(taken, now)
    if (taken === this.#taken) return now >= this.#deadline
    this.#taken = taken
    this.#deadline = now + timeout
    return false
  }
}
