import type { ReadTimeLimit } from './settings.ts'

/** httpd waits at least this long for the next bytes, even if less time is left, ms. */
const LEAST_WAIT = 1000

/** Measures how long a part of a request takes to arrive. Times are those of the engine's clock. */
export class ReadClock {
  readonly part: 'handshake' | 'header' | 'body'
  readonly begunAt: number
  readonly #limit: ReadTimeLimit
  readonly #latest: number
  #end: number
  #wait: number

  /** @param bytes number of bytes that have already arrived */
  constructor(part: 'handshake' | 'header' | 'body', limit: ReadTimeLimit, now: number, bytes: number) {
    this.part = part
    this.begunAt = now
    this.#limit = limit
    this.#latest = limit.longest === 0 ? Number.POSITIVE_INFINITY : now + limit.longest
    this.#end = now + limit.initial
    this.#wait = 0
    this.extend(bytes, now)
  }

  /** Extends the time limit by arriving bytes. */
  extend(bytes: number, now: number): void {
    if (this.#limit.rate > 0) this.#end = Math.min(this.#end + (bytes * 1000) / this.#limit.rate, this.#latest)
    if (this.part === 'body') this.#wait = now < this.#end ? now + LEAST_WAIT : 0
  }

  isOver(now: number): boolean {
    return now >= this.#end && now >= this.#wait
  }
}
