import { FAILURE_KINDS, type Failure, type FailureKind, type Place } from './failure.ts'
import { IdSet } from './id-set.ts'

/** Figures of a load, complete: every request is either right or a failure, or still under way. */
export interface LoadReport {
  readonly connections: number
  readonly requests: number
  readonly right: number
  readonly failed: number
  /** Kinds that did not occur are left out. */
  readonly failures: Readonly<Partial<Record<FailureKind, Readonly<Record<Place, number>>>>>
  /** Kept connections that the server closed while no request was pending; they are not failures. */
  readonly endedWhileIdle: number
  /** The number of times that unrequested bytes arrived. */
  readonly strayBytes: number
}

/** A process that is killed can have answered no more than this in its last turn of the event loop. */
const REMEMBERED = 128

/** Counts requests and their outcomes. */
export class Tally {
  /** Requests that were answered rightly. */
  readonly right: IdSet = new IdSet()
  readonly failures: Failure[] = []
  /** Requests per process that they were sent to, as far as that was known then. */
  readonly sentTo: Map<number, number> = new Map()
  readonly #lastOf = new Map<number, number[]>()
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

  /** @param worker the process that gave the answer, if it is known */
  succeed(id: number, worker: number | null): void {
    this.right.add(id)
    if (worker !== null) this.#remember(worker, id)
    for (const waiting of this.#waiting) {
      if (this.right.size < waiting.right) continue
      this.#waiting.delete(waiting)
      waiting.reached()
    }
  }

  /** Ids of the last requests that a process answered rightly, the latest last. */
  lastOf(worker: number): readonly number[] {
    return this.#lastOf.get(worker) ?? []
  }

  fail(failure: Failure): void {
    this.failures.push(failure)
  }

  /** Resolves after this many more correct answers. */
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

  #remember(worker: number, id: number): void {
    const last = this.#lastOf.get(worker)
    if (last === undefined) this.#lastOf.set(worker, [id])
    else if (last.push(id) > REMEMBERED) last.shift()
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
