import type { ServingCounters } from './serving-counters.ts'

/** One worker's numbers. Times in milliseconds, CPU in seconds. */
export interface WorkerStatus {
  /** Number of the slot, from 0. */
  readonly slot: number
  /** Its process. */
  readonly pid: number
  /** Generation of the configuration that it serves. */
  readonly generation: number
  /** True while it only finishes what it has begun. */
  readonly stopping: boolean
  /** Responses. */
  readonly accesses: number
  /** Bytes of the bodies of its responses. */
  readonly bytes: number
  /** From the request line to the end of the response, of all of them together. */
  readonly duration: number
  /** CPU time of its own code. */
  readonly cpuUser: number
  /** CPU time that the system spent for it. */
  readonly cpuSystem: number
  /**
   * What it has counted since it began.
   * @since 2.4.4
   */
  readonly counters: ServingCounters
  /** Connections that are open. */
  readonly connections: number
  /** Requests in work. */
  readonly busy: number
  /** Connections that wait for a next request. */
  readonly keepAlive: number
  /** Connections whose client has still to take what was sent. */
  readonly writing: number
  /** Connections that are about to be closed. */
  readonly closing: number
  /**
   * Connections on which a request is being read, or the first is waited for.
   * @since 2.4.4
   */
  readonly reading: number
  /**
   * Its process as it is now.
   * @since 2.4.4
   */
  readonly process: ProcessGauges
  /** Requests in work and the latest finished ones. */
  readonly requests: readonly RequestStatus[]
}

/** One line of the status page. */
export interface RequestStatus {
  /** Scoreboard letter: W, R, K, L, C, G, _ */
  readonly state: string
  /** Address of the client. */
  readonly client: string
  /** `http/1.1`, or an empty text. */
  readonly protocol: string
  /** `name:port` of the virtual host. */
  readonly vhost: string
  /** The request line, or what was last served. */
  readonly requestLine: string
  /** Milliseconds of the latest request. */
  readonly duration: number
  /**
   * Milliseconds of all requests in this place.
   * @since 2.4.4
   */
  readonly totalDuration: number
  /** Milliseconds since this place was last used. */
  readonly idle: number
  /** Requests on this connection. */
  readonly connectionAccesses: number
  /** Requests by this slot. */
  readonly slotAccesses: number
  /** Bytes of this connection. */
  readonly connectionBytes: number
  /** Bytes by this slot. */
  readonly slotBytes: number
}

/** What status pages show of the server as a whole. */
export interface ServerStatus {
  /** Milliseconds since 1970 of the start; reloads do not change it. */
  readonly startedAt: number
  /** Configurations that have been served, the present one included. */
  readonly configGeneration: number
  /** Reloads since the start. */
  readonly mpmGeneration: number
  /** Name of the process model, `event`. */
  readonly mpm: string
  /** When the server was built, or an empty text. */
  readonly built: string
  /** MaxRequestWorkers. */
  readonly maxRequestWorkers: number
  /** ThreadsPerChild. */
  readonly threadsPerWorker: number
  /** ExtendedStatus. */
  readonly extended: boolean
  /** The system's load over 1, 5 and 15 minutes. */
  readonly load: readonly [number, number, number]
  /** All workers, those that are stopping included. */
  readonly workers: readonly WorkerStatus[]
  /**
   * Sums of ended workers that no worker of `workers` has taken over with its slot.
   * @since 2.4.4
   */
  readonly former: WorkerTotals
  /**
   * Configurations that were loaded since the start, and those that could not be used.
   * @since 2.4.4
   */
  readonly reloads: { readonly done: number; readonly refused: number }
  /**
   * Workers that ended unexpectedly.
   * @since 2.4.4
   */
  readonly workerDeaths: number
}

/**
 * The figures of a worker that are kept after its end.
 * @since 2.4.4
 */
export type WorkerTotals = Pick<WorkerStatus, 'accesses' | 'bytes' | 'duration' | 'cpuUser' | 'cpuSystem' | 'counters'>

/**
 * A worker's process as it is now.
 * @since 2.4.4
 */
export interface ProcessGauges {
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number
  /** Bytes of memory that it holds. */
  readonly residentMemory: number
  /** Bytes that JavaScript objects take. */
  readonly heapUsed: number
  /**
   * By how much the event loop was late in the past ten seconds, in milliseconds: on average, at the 99th
   * percentile, at most.
   */
  readonly loopDelay: { readonly mean: number; readonly p99: number; readonly max: number }
  /** Password checks that wait for a thread. */
  readonly passwordsWaiting: number
  /** Password checks that a thread computes. */
  readonly passwordsComputing: number
}
