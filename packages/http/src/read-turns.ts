/**
 * Reads of files that may be under way at a time. As many as there are threads to do them keep these busy;
 * with more, a turn of the loop would have as many blocks to write as there are clients of large files, and
 * everybody else would wait for that turn to end.
 */
const AT_ONCE = 4

/** Schedules file reads in the order of the requests, a few at a time. */
export class ReadTurns {
  readonly #atOnce: number
  readonly #waiting: (() => void)[]
  #underWay: number

  constructor(atOnce: number = AT_ONCE) {
    this.#atOnce = atOnce
    this.#waiting = []
    this.#underWay = 0
  }

  /** Calls `read` now or later; it is followed by one `end`. */
  begin(read: () => void): void {
    if (this.#underWay >= this.#atOnce) {
      this.#waiting.push(read)
      return
    }
    this.#underWay++
    read()
  }

  /** A read is complete, and its result was passed on. */
  end(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#underWay--
    else next()
  }
}
