import { FAILURE_KINDS, type Failure, type FailureKind, type Place } from './failure.ts'

/** Figures of a load, complete: every request is either right or a failure, or still under way. */
export interface LoadReport {
  readonly connections: number
  readonly requests: number
  readonly right: number
  readonly failed: number
  /** Kinds that did not occur are left out. */
  readonly failures: Readonly<Partial<Record<FailureKind, Readonly<Record<Place, number>>>>>
  /** Kept connections that the server ended while nothing was asked on them: no failures. */
  readonly endedWhileIdle: number
  /** Times that bytes came which nobody had asked for. */
  readonly strayBytes: number
}

/** Counts requests and what became of them. */
export class Tally {
  /** Requests that were answered rightly. */
  readonly right: Set<number> = new Set()
  readonly failures: Failure[] = []
  /** Requests per process that they were sent to, as far as that was known then. */
  readonly sentTo: Map<number, number> = new Map()
  connections = 0
  endedWhileIdle = 0
  strayBytes = 0
  #requests = 0
  readonly #waiting = new Set<{ readonly right: number; readonly reached: () => void }>()

  /** The id of a new request. @param worker the process that serves its connection, if it is known */
  begin(worker: number | null): number {
    if (worker !== null) this.sentTo.set(worker, (this.sentTo.get(worker) ?? 0) + 1)
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

  fail(failure: Failure): void {
    this.failures.push(failure)
  }

  /** Resolves when so many more requests have been answered rightly. */
  more(count: number): Promise<void> {
    return new Promise((reached) => this.#waiting.add({ right: this.right.size + count, reached }))
  }

  report(): LoadReport {
    const { connections, endedWhileIdle, strayBytes } = this
    return {
      connections,
      requests: this.#requests,
      right: this.right.size,
      failed: this.failures.length,
      failures: this.#byKind(),
      endedWhileIdle,
      strayBytes,
    }
  }

  #byKind(): LoadReport['failures'] {
    const counts: Partial<Record<FailureKind, Record<Place, number>>> = {}
    for (const kind of FAILURE_KINDS) {
      const those = this.failures.filter((failure) => failure.kind === kind)
      const first = those.filter(({ place }) => place === 'first').length
      if (those.length > 0) counts[kind] = { first, later: those.length - first }
    }
    return counts
  }
}
