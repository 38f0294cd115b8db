import type { Transport } from './transport.ts'

/**
 * ms between two looks at the progress of an answer; less with a short Timeout. Asking the system about thousands of slow readers with each tick of the engine
 * would cost more than serving them.
 */
const LOOK = 1000

/** Watches whether a client takes the answer that waits for it. Times are those of the engine's clock. */
export class WriteWatch {
  #unsent = -1
  #deadline = 0
  #nextLook = 0

  /**
   * True when the client has taken nothing for the whole of Timeout.
   * @param timeout ms
   */
  isStalled(transport: Transport, timeout: number, now: number): boolean {
    if (now < this.#nextLook) return false
    this.#nextLook = now + Math.min(LOOK, timeout / 4)
    const unsent = transport.unsentBytes
    if (unsent === this.#unsent) return now >= this.#deadline
    this.#unsent = unsent
    this.#deadline = now + timeout
    return false
  }
}
