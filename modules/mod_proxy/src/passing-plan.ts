import type { Worker } from './workers/worker.ts'

/** What is known of a request that is passed on, before its worker is chosen. */
export interface PassingPlan {
  /** The worker of the line that mapped the request. */
  readonly worker: Worker | null
  /** The Unix domain socket to use instead of the host of the URL. */
  readonly socketPath: string | null
}
