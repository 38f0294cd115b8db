import type { HostServices, ProviderGroup, ProxyScheme, SharedRecord } from '@gatewright/api'
import type { Worker } from './workers/worker.ts'
import { BUSY, NUMBERS } from './workers/worker-record.ts'

/** The connections of a worker in its published record, after the figures of the worker itself. */
export const OPEN: number = NUMBERS
export const IDLE: number = NUMBERS + 1
export const WAITING: number = NUMBERS + 2
export const OPENED: number = NUMBERS + 3
export const REUSED: number = NUMBERS + 4
export const CONNECT_FAILURES: number = NUMBERS + 5
const LENGTH = NUMBERS + 6

/** Other processes learn of the figures of this one after this time (ms). */
const PERIOD = 1_000

interface Published {
  readonly worker: Worker
  readonly record: SharedRecord
  /** What this process has added so far. */
  readonly last: Float64Array
}

/**
 * The figures of workers that no balancer has, and the connections of all workers, summed over all processes. A request costs no
 * message: each process adds what it has counted once a second.
 */
export class PublishedFigures {
  readonly #services: HostServices
  readonly #schemes: ProviderGroup<ProxyScheme>
  readonly #all = new Map<Worker, Published>()
  #timer: NodeJS.Timeout | null = null

  constructor(services: HostServices, schemes: ProviderGroup<ProxyScheme>) {
    this.#services = services
    this.#schemes = schemes
  }

  /** @param name the same in all processes, and different for each worker */
  add(worker: Worker, name: string): void {
    const record = this.#services.sharedRecord(`mod_proxy.c/figures/${name}`, {
      numbers: LENGTH,
      ofProcess: [BUSY, OPEN, IDLE, WAITING],
    })
    this.#all.set(worker, { worker, record, last: new Float64Array(LENGTH) })
  }

  start(): void {
    if (this.#all.size === 0 || this.#timer !== null) return
    this.#timer = setInterval(() => this.publish(), PERIOD)
    this.#timer.unref()
  }

  /** Publishes what has been counted, for the last time. */
  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.publish()
  }

  /** Adds what this process has counted since the last time. */
  publish(): void {
    for (const { worker, record, last } of this.#all.values()) {
      const present = this.#present(worker)
      for (let index = 0; index < LENGTH; index++) {
        const more = present[index] - last[index]
        if (more !== 0) record.add(index, more)
      }
      last.set(present)
    }
  }

  /** The sums of all processes. */
  of(worker: Worker): Float64Array | null {
    return this.#all.get(worker)?.record.numbers ?? null
  }

  #present(worker: Worker): Float64Array {
    const present = new Float64Array(LENGTH)
    // The processes share those of members already.
    if (!worker.isMember) present.set(worker.figures)
    const connections = this.#schemes.get(worker.scheme)?.connections?.(worker)
    if (connections === undefined) return present
    const { open, idle, waiting, opened, reused, failed } = connections
    present.set([open, idle, waiting, opened, reused, failed], NUMBERS)
    return present
  }
}
