import { loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { NO_COUNTERS, type ProcessGauges, type ServerStatus, type WorkerStatus, type WorkerTotals } from '@gatewright/api/status'
import type { HttpEngine } from '@gatewright/http'
import type { Logs } from '../services/logs.ts'
import type { ProcessServices } from '../services/process-services.ts'
import { LoopWatch } from './loop-watch.ts'
import { ServingTally } from './serving-tally.ts'
import { WorkPlaces } from './work-places.ts'

/** The services whose figures are reported. */
export interface ReportedServices {
  readonly process: ProcessServices
  readonly logs: Logs
}

/** Reports what one process serves, for status pages. */
export class StatusKeeper {
  readonly tally: ServingTally = new ServingTally()
  readonly startedAt: number = Date.now()
  readonly places: WorkPlaces
  readonly #loop: LoopWatch | null
  #knownMemory = 0

  constructor(extended: boolean) {
    this.places = new WorkPlaces(extended)
    this.#loop = extended ? new LoopWatch() : null
  }

  close(): void {
    this.#loop?.close()
  }

  worker(
    identity: { readonly slot: number; readonly generation: number; readonly stopping: boolean },
    engine: HttpEngine,
    { process: { passwords }, logs }: ReportedServices,
  ): WorkerStatus {
    const { user, system } = process.cpuUsage()
    const { reading, writing, keepAlive, closing } = engine.activities()
    return {
      ...identity,
      pid: process.pid,
      ...this.tally.totals,
      cpuUser: user / 1e6,
      cpuSystem: system / 1e6,
      counters: this.tally.counters({
        passwords: passwords.counters,
        lostLogLines: logs.destinations.droppedLines,
        loopActive: this.#loop?.active ?? 0,
      }),
      connections: engine.connections,
      busy: this.places.busy,
      reading,
      writing,
      keepAlive,
      closing,
      process: this.#gauges(passwords),
      requests: this.places.describe(),
    }
  }

  #gauges(passwords: ProcessServices['passwords']): ProcessGauges {
    return {
      startedAt: performance.timeOrigin,
      residentMemory: this.#residentMemory(),
      heapUsed: getHeapStatistics().used_heap_size,
      loopDelay: this.#loop?.delay ?? { mean: 0, p99: 0, max: 0 },
      passwordsWaiting: passwords.waiting,
      passwordsComputing: passwords.computing,
    }
  }

  /** The system call needs a descriptor. If none is free, the last result is reported again. */
  #residentMemory(): number {
    try {
      this.#knownMemory = process.memoryUsage.rss()
    } catch {
      // The next second may succeed.
    }
    return this.#knownMemory
  }
}

const NO_TOTALS: WorkerTotals = { accesses: 0, bytes: 0, duration: 0, cpuUser: 0, cpuSystem: 0, counters: NO_COUNTERS }

/** The figures that only the parent of several workers knows. */
type KnownToParent = 'workers' | 'load' | 'former' | 'reloads' | 'workerDeaths'

/** The status of a server that consists only of this process. */
export function statusOfOne(worker: WorkerStatus, facts: Omit<ServerStatus, KnownToParent>): ServerStatus {
  const [one, five, fifteen] = loadavg()
  return {
    ...facts,
    load: [one, five, fifteen],
    workers: [worker],
    former: NO_TOTALS,
    reloads: { done: 0, refused: 0 },
    workerDeaths: 0,
  }
}
