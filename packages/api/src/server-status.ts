import type { ServingCounters } from './serving-counters.ts'

/** One worker's numbers. Times in milliseconds, CPU in seconds. */
export interface WorkerStatus {
  readonly slot: number
  readonly pid: number
  readonly generation: number
  readonly stopping: boolean
  /** Responses, bytes of their bodies, and the time from the request line to the end of the response. */
  readonly accesses: number
  readonly bytes: number
  readonly duration: number
  readonly cpuUser: number
  readonly cpuSystem: number
  /** What it has counted since it began. Since API 2.4.4. */
  readonly counters: ServingCounters
  readonly connections: number
  /** Requests in work. */
  readonly busy: number
  /** Connections that wait for a next request, whose client has still to take what was sent, and that are about to be closed. */
  readonly keepAlive: number
  readonly writing: number
  readonly closing: number
  /** Connections on which a request is being read, or the first is waited for. Since API 2.4.4. */
  readonly reading: number
  /** Since API 2.4.4. */
  readonly process: ProcessGauges
  /** Requests in work and the latest finished ones. */
  readonly requests: readonly RequestStatus[]
}

export interface RequestStatus {
  /** Scoreboard letter: W, R, K, L, C, G, _ */
  readonly state: string
  readonly client: string
  readonly protocol: string
  /** `name:port` of the virtual host. */
  readonly vhost: string
  readonly requestLine: string
  /** Milliseconds of the latest request, of all requests in this place (since API 2.4.4), and since it was last used. */
  readonly duration: number
  readonly totalDuration: number
  readonly idle: number
  /** Requests on this connection, by this slot. */
  readonly connectionAccesses: number
  readonly slotAccesses: number
  readonly connectionBytes: number
  readonly slotBytes: number
}

export interface ServerStatus {
  readonly startedAt: number
  readonly configGeneration: number
  readonly mpmGeneration: number
  readonly mpm: string
  readonly built: string
  readonly maxRequestWorkers: number
  readonly threadsPerWorker: number
  readonly extended: boolean
  readonly load: readonly [number, number, number]
  readonly workers: readonly WorkerStatus[]
  /** Sums of ended workers that no worker of `workers` has taken over with its slot. Since API 2.4.4. */
  readonly former: WorkerTotals
  /** Configurations that were loaded since the start, and those that could not be used. Since API 2.4.4. */
  readonly reloads: { readonly done: number; readonly refused: number }
  /** Workers that ended though nobody told them to. Since API 2.4.4. */
  readonly workerDeaths: number
}

/** What of a worker's numbers goes on after its end. Since API 2.4.4. */
export type WorkerTotals = Pick<WorkerStatus, 'accesses' | 'bytes' | 'duration' | 'cpuUser' | 'cpuSystem' | 'counters'>

/** A worker's process as it is now. Since API 2.4.4. */
export interface ProcessGauges {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Bytes. */
  readonly residentMemory: number
  readonly heapUsed: number
  /** By how much the event loop was late in the past ten seconds, in milliseconds: on average, at the 99th percentile, at most. */
  readonly loopDelay: { readonly mean: number; readonly p99: number; readonly max: number }
  /** Password checks that wait for a thread, and that one computes. */
  readonly passwordsWaiting: number
  readonly passwordsComputing: number
}
