import type { Displaced } from '@gatewright/core'

/** Milliseconds between two lines about displaced connections. */
const PAUSE = 60_000

const ADVICE = "raise the limit before the start, with 'ulimit -n 65536' or LimitNOFILE of the service"

/** Writes to the error log when a worker has no descriptors for more connections. */
export class ConnectionLimitLog {
  readonly #write: (level: 'error' | 'warn', text: string) => void
  readonly #now: () => number
  #nextAt = 0
  #untold = 0

  /** @param now a clock in ms */
  constructor(write: (level: 'error' | 'warn', text: string) => void, now: () => number) {
    this.#write = write
    this.#now = now
  }

  /** A new connection was rejected, for the first time since the worker was below its limit. */
  full(open: number): void {
    this.#write(
      'error',
      `${open} connections are open, which is the limit set by the descriptors of this process; the server closes further ones: ${ADVICE}`,
    )
  }

  /**
   * A connection was closed in favour of a new one. Of many within a minute, the first is reported
   * immediately and the others are counted.
   */
  displaced({ from, by }: Displaced): void {
    this.#untold++
    const now = this.#now()
    if (now < this.#nextAt) return
    const others = this.#untold > 1 ? `, as were ${this.#untold - 1} others since the last such message` : ''
    this.#untold = 0
    this.#nextAt = now + PAUSE
    this.#write(
      'warn',
      `no descriptors are left for more connections: the server closed one of the ${from.count} connections of ${from.group} in favour of ${by.group}, which has ${by.count}${others}: ${ADVICE}`,
    )
  }
}
