/** What is to be done when something is over: once, last registered first. */
export class Cleanups {
  #list: (() => void)[] = []

  add(cleanup: () => void): void {
    this.#list.push(cleanup)
  }

  /** @param failed is called with the error of a cleanup that threw; the others still run */
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
