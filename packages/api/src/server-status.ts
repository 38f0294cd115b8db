import type { ServingCounters } from './serving-counters.ts'

/** One worker's numbers. Times in milliseconds, CPU in seconds. */
export interface WorkerStatus {
  /** Number of the slot, from 0. */
  readonly slot: number
  /** Its process. */
  readonly pid: number
  /** The generation of the configuration that it serves. */
  readonly generation: number
  /** True if it accepts no more connections and only completes open ones. */
  readonly stopping: boolean
  /** Responses. */
  readonly accesses: number
  /** Bytes of the bodies of its responses. */
  readonly bytes: number
  /** Total time of its responses, each from the request line to the end of the response. */
  readonly duration: number
  /** CPU time of its own code. */
  readonly cpuUser: number
  /** CPU time that the system spent for the process. */
  readonly cpuSystem: number
  /**
   * Its counters since it started.
   * @since 2.4.4
   */
  readonly counters: ServingCounters
  /** Connections that are open. */
  readonly connections: number
  /** Requests in progress. */
  readonly busy: number
  /** Connections that wait for another request. */
  readonly keepAlive: number
  /** Connections whose client has not yet received everything that was sent. */
  readonly writing: number
  /** Connections that are about to be closed. */
  readonly closing: number
  /**
   * Connections that are reading a request or waiting for their first one.
   * @since 2.4.4
   */
  readonly reading: number
  /**
   * The current state of its process.
   * @since 2.4.4
   */
  readonly process: ProcessGauges
  /** Requests in progress and the latest finished ones. */
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
  /** The request line, current or last. */
  readonly requestLine: string
  /** Milliseconds of the latest request. */
  readonly duration: number
  /**
   * Milliseconds of all requests in this slot.
   * @since 2.4.4
   */
  readonly totalDuration: number
  /** Milliseconds since this slot was last used. */
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

/** The server as a whole, for status pages. */
export interface ServerStatus {
  /** Start time in milliseconds since 1970; reloads do not change it. */
  readonly startedAt: number
  /** Number of configurations that have been served, including the present one. */
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
  /** All workers, including stopping ones. */
  readonly workers: readonly WorkerStatus[]
  /**
   * Sums of ended workers whose slot no worker in `workers` has taken over.
   * @since 2.4.4
   */
  readonly former: WorkerTotals
  /**
   * Successful reloads since the start, and those whose configuration was rejected.
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
 * The figures of a worker that are kept after it ends.
 * @since 2.4.4
 */
export type WorkerTotals = Pick<WorkerStatus, 'accesses' | 'bytes' | 'duration' | 'cpuUser' | 'cpuSystem' | 'counters'>

/**
 * The current state of a worker's process.
 * @since 2.4.4
 */
export interface ProcessGauges {
  /** Start time in milliseconds since 1970. */
  readonly startedAt: number
  /** Resident memory in bytes. */
  readonly residentMemory: number
  /** Bytes used by JavaScript objects. */
  readonly heapUsed: number
  /** Delay of the event loop in the past ten seconds, in milliseconds: mean, 99th percentile, maximum. */
  readonly loopDelay: { readonly mean: number; readonly p99: number; readonly max: number }
  /** Password checks waiting for a thread. */
  readonly passwordsWaiting: number
  /** Password checks being computed. */
  readonly passwordsComputing: number
}

/**
 * Requests that a worker processes, at most as many as it has slots; 0 for one that is stopping.
 * @since 2.4.6
 */
export function busyThreads(worker: WorkerStatus, status: ServerStatus): number {
  return worker.stopping ? 0 : Math.min(worker.busy, status.threadsPerWorker)
}

/**
 * Free slots of a worker, as httpd counts its idle threads; those of an earlier generation never get a request, and do not
 * count.
 * @since 2.4.6
 */
export function idleThreads(worker: WorkerStatus, status: ServerStatus): number {
  if (worker.stopping || worker.generation !== status.mpmGeneration) return 0
  return status.threadsPerWorker - busyThreads(worker, status)
}
