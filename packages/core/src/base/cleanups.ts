/** What is to be done when something is over: once, last registered first. */
export class Cleanups {
  private list: (() => void)[] = []

  add(cleanup: () => void): void {
    this.list.push(cleanup)
  }

  /** @param failed is told of one that threw, which keeps no other from running */
  run(failed: (error: unknown) => void): void {
    // A cleanup may register another one.
    for (let next = this.list.pop(); next !== undefined; next = this.list.pop()) {
      try {
        next()
      } catch (error) {
        failed(error)
      }
    }
  }
}
