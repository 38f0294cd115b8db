import type { Displaced } from '@gatewright/core'

/** ms between two lines about connections that gave way to others. */
const PAUSE = 60_000

const ADVICE = "raise the limit before the start, with 'ulimit -n 65536' or LimitNOFILE of the service"

/** Tells the error log of a worker that has no descriptors for more connections. */
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

  /** A newcomer was refused, for the first time since there was room. */
  full(open: number): void {
    this.#write(
      'error',
      `${open} connections are open, which is the limit set by the descriptors of this process; the server closes further ones: ${ADVICE}`,
    )
  }

  /** A connection gave way to a newcomer. Of many within a minute the first is told at once, the others are counted. */
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
