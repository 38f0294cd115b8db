import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { Approach, Approaches } from './approach.ts'
import { ClientConnection } from './client-connection.ts'
import type { Failure } from './failure.ts'
import { HABITS, type Habit, KINDS, type Mix } from './habits.ts'
import type { IdSet } from './id-set.ts'
import { type LoadReport, Tally } from './tally.ts'

/** After a failure a client waits so long (ms), or a server that is down would be asked without end. */
const AFTER_FAILURE = 20

/**
 * Many clients of several kinds that send requests to a server until they are stopped. They do not retry: a
 * failed request counts as failed.
 */
export class LoadClient {
  readonly #approaches: Approaches
  readonly #tally = new Tally()
  readonly #open = new Set<ClientConnection>()
  readonly #stop = new AbortController()
  readonly #clients: Promise<void>[] = []

  constructor(approaches: Approaches) {
    this.#approaches = approaches
  }

  /** Ids of the requests that were answered rightly. */
  get right(): IdSet {
    return this.#tally.right
  }

  get failures(): readonly Failure[] {
    return this.#tally.failures
  }

  start(mix: Mix): void {
    for (const kind of KINDS) {
      for (let client = 0; client < (mix[kind] ?? 0); client++) {
        this.#clients.push(this.#visit(HABITS[kind], client, this.#approaches(this.#clients.length)))
      }
    }
  }

  /** Resolves after this many more correct answers. */
  answers(count: number): Promise<void> {
    return this.#tally.more(count)
  }

  /** How many requests were sent on connections of which it was known that this process serves them. */
  sentTo(worker: number): number {
    return this.#tally.sentTo.get(worker) ?? 0
  }

  /** Ids of the last requests that a process answered rightly. */
  lastOf(worker: number): readonly number[] {
    return this.#tally.lastOf(worker)
  }

  /** Requests under way on connections of a process, and on those of which it is not known yet whose they are. */
  underWay(worker: number): { readonly known: number; readonly unknown: number } {
    let known = 0
    let unknown = 0
    for (const connection of this.#open) {
      if (connection.worker === worker) known += connection.underWay
      else if (connection.worker === null) unknown += connection.underWay
    }
    return { known, unknown }
  }

  /** The current figures. */
  report(): LoadReport {
    return this.#tally.report()
  }

  /** Sends nothing more, waits until each request is answered or has failed, and ends all connections. */
  async stop(): Promise<LoadReport> {
    this.#stop.abort()
    await Promise.all(this.#clients)
    for (const connection of this.#open) connection.end()
    return this.report()
  }

  async #visit(habit: Habit, client: number, approach: Approach): Promise<void> {
    const { pauses, resource, together } = habit
    const resources = Array.from({ length: together }, () => resource)
    let connection: ClientConnection | null = null
    // Clients of a kind must not pause at the same time.
    for (let round = client; !this.#stop.signal.aborted; round++) {
      if (connection === null || connection.over) connection = this.#connect(habit, approach)
      const failedBefore = this.#tally.failures.length
      await connection.send(resources)
      const failed = this.#tally.failures.length > failedBefore && connection.over
      await this.#rest(failed ? AFTER_FAILURE : pauses[round % pauses.length])
    }
  }

  async #rest(ms: number): Promise<void> {
    if (ms === 0) return
    await pause(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    // The server may have closed the connection meanwhile: sockets are checked before the next request is
    // sent.
    await turn()
  }

  #connect({ appetite, persistence }: Habit, approach: Approach): ClientConnection {
    const connection = new ClientConnection({
      approach,
      tally: this.#tally,
      appetite,
      persistence,
      onOver: (one) => this.#open.delete(one),
    })
    this.#open.add(connection)
    return connection
  }
}
