import { IdSet } from './id-set.ts'
import type { LoadReport } from './tally.ts'

/** What clients of HTTP/2 have seen. A request that the server has refused is sent again, as RFC 9113 section 8.7 allows. */
export class Http2Tally {
  readonly right: IdSet = new IdSet()
  readonly failures: string[] = []
  connections = 0
  /** Requests that were refused, or that came too late for their connection, and were sent again. */
  retried = 0
  /** Connections that ended with GOAWAY. */
  goaways = 0
  #requests = 0
  readonly #waiting = new Set<{ readonly right: number; readonly reached: () => void }>()

  /** The id of a new request. */
  begin(): number {
    return ++this.#requests
  }

  succeed(id: number): void {
    this.right.add(id)
    for (const waiting of this.#waiting) {
      if (this.right.size < waiting.right) continue
      this.#waiting.delete(waiting)
      waiting.reached()
    }
  }

  fail(id: number, what: string): void {
    this.failures.push(`request ${id}: ${what}`)
  }

  /** Resolves after this many more right answers. */
  more(count: number): Promise<void> {
    return new Promise((reached) => this.#waiting.add({ right: this.right.size + count, reached }))
  }

  report(): LoadReport {
    return {
      connections: this.connections,
      requests: this.#requests,
      right: this.right.size,
      failed: this.failures.length,
      failures: {},
      endedWhileIdle: this.goaways,
      strayBytes: 0,
    }
  }
}
