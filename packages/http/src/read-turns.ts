/**
 * Concurrent file reads. This many keep the reading threads busy. With more, a turn of the loop would have as
 * many blocks to write as there are clients of large files, and all other clients would wait for its end.
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

  /** Calls `read` now or later. Call `end` once after it. */
  begin(read: () => void): void {
    if (this.#underWay >= this.#atOnce) {
      this.#waiting.push(read)
      return
    }
    this.#underWay++
    read()
  }

  /** Reports that a read is complete and its result was passed on. */
  end(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#underWay--
    else next()
  }
}
