/** Functions to call once when something ends, in reverse order of registration. */
export class Cleanups {
  #list: (() => void)[] = []

  add(cleanup: () => void): void {
    this.#list.push(cleanup)
  }

  /** @param failed is called with the error of a cleanup that throws; the others still run */
  run(failed: (error: unknown) => void): void {
    // A cleanup may register another one.
    for (let next = this.#list.pop(); next !== undefined; next = this.#list.pop()) {
      try {
        next()
      } catch (error) {
        failed(error)
      }
    }
  }
}
