/** Maximum length of a slice of computing, in ms, before other work gets a turn. */
const SLICE_MS = 4

/**
 * Runs long work in slices: one slice per turn of the event loop, whichever work it belongs to, so that short
 * requests wait for one slice at most. Slices of several pieces of work alternate.
 */
export class LongWork {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs one slice after all pending slices, in a turn of its own. */
  slice<T>(act: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(nextTurn).then(act)
    this.#last = done.catch(() => undefined)
    return done
  }

  /**
   * Runs all steps in slices. The first slice runs immediately; the result is a promise only if more slices
   * are needed. A step is what the generator does between two yields, and must be short.
   * @throws what the steps throw
   */
  steps<T>(steps: Iterator<unknown, T>): T | Promise<T> {
    const first = advance(steps)
    return first.done === true ? first.value : this.#rest(steps)
  }

  async #rest<T>(steps: Iterator<unknown, T>): Promise<T> {
    for (;;) {
      const step = await this.slice(() => advance(steps))
      if (step.done === true) return step.value
    }
  }
}

function advance<T>(steps: Iterator<unknown, T>): IteratorResult<unknown, T> {
  const end = performance.now() + SLICE_MS
  for (;;) {
    const step = steps.next()
    if (step.done === true || performance.now() > end) return step
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
