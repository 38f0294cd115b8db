import { loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import {
  NO_COUNTERS,
  type ProcessGauges,
  type RequestStatus,
  type ServerStatus,
  type WorkerStatus,
  type WorkerTotals,
} from '@gatewright/api/status'
import type { HttpEngine } from '@gatewright/http'
import type { ConfigServicesImpl } from '../config/config-services.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { WorkPlace } from '../model/work-place.ts'
import { LoopWatch } from './loop-watch.ts'
import { ServingTally } from './serving-tally.ts'

/** Counts what one process serves, for status pages. */
export class StatusKeeper {
  readonly tally: ServingTally = new ServingTally()
  readonly startedAt: number = Date.now()
  readonly #places: WorkPlace[] = []
  readonly #free: WorkPlace[] = []
  readonly #extended: boolean
  readonly #loop: LoopWatch | null
  #accesses = 0
  #bytes = 0
  #duration = 0
  #knownMemory = 0

  constructor(extended: boolean) {
    this.#extended = extended
    this.#loop = extended ? new LoopWatch() : null
  }

  /** @returns the request's place, which it keeps until `end` */
  begin(request: RequestRecord): WorkPlace {
    const place = this.#free.pop() ?? this.#addPlace()
    place.busy = true
    if (this.#extended) {
      place.client = request.useragentAddress
      place.protocol = request.protocol
      place.requestLine = request.requestLine
      place.usedAtUs = request.receivedAtUs
    }
    return place
  }

  /** @param status of the response, which may come from a request that this one was redirected to */
  end(request: RequestRecord, status: number, bytes: number, durationMs: number): void {
    this.#accesses++
    this.#bytes += bytes
    this.#duration += durationMs
    this.tally.answered(request, status, durationMs)
    const { place, connection } = request
    connection.bytes += bytes
    if (place === null) return
    request.place = null
    place.busy = false
    place.accesses++
    place.bytes += bytes
    place.duration = durationMs
    place.totalDuration += durationMs
    place.connectionAccesses = connection.keepalives
    place.connectionBytes = connection.bytes
    if (this.#extended) {
      place.client = request.useragentAddress
      place.server = request.server
      place.localPort = connection.localPort
      place.usedAtUs = request.answer.endedAtUs
    }
    this.#free.push(place)
  }

  close(): void {
    this.#loop?.close()
  }

  worker(
    identity: { readonly slot: number; readonly generation: number; readonly stopping: boolean },
    engine: HttpEngine,
    services: ConfigServicesImpl,
  ): WorkerStatus {
    const { user, system } = process.cpuUsage()
    const { reading, writing, keepAlive, closing } = engine.activities()
    return {
      ...identity,
      pid: process.pid,
      accesses: this.#accesses,
      bytes: this.#bytes,
      duration: this.#duration,
      cpuUser: user / 1e6,
      cpuSystem: system / 1e6,
      counters: this.tally.counters({
        passwords: services.passwords.counters,
        lostLogLines: services.destinations.droppedLines,
        loopActive: this.#loop?.active ?? 0,
      }),
      connections: engine.connections,
      busy: this.#places.length - this.#free.length,
      reading,
      writing,
      keepAlive,
      closing,
      process: this.#gauges(services),
      requests: this.#places.map(describe),
    }
  }

  #gauges({ passwords }: ConfigServicesImpl): ProcessGauges {
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

  #addPlace(): WorkPlace {
    const place: WorkPlace = {
      busy: false,
      client: '',
      protocol: '',
      server: null,
      localPort: 0,
      requestLine: '',
      usedAtUs: performance.now() * 1000,
      duration: 0,
      totalDuration: 0,
      accesses: 0,
      connectionAccesses: 0,
      bytes: 0,
      connectionBytes: 0,
    }
    this.#places.push(place)
    return place
  }
}

function describe(place: WorkPlace): RequestStatus {
  const { server } = place
  return {
    state: place.busy ? 'W' : '_',
    client: place.client,
    protocol: place.protocol.toLowerCase(),
    vhost: server === null ? '' : `${server.serverName}:${server.serverPort || place.localPort}`,
    requestLine: place.requestLine,
    duration: place.duration,
    totalDuration: place.totalDuration,
    idle: performance.now() - place.usedAtUs / 1000,
    connectionAccesses: place.connectionAccesses,
    slotAccesses: place.accesses,
    connectionBytes: place.connectionBytes,
    slotBytes: place.bytes,
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
