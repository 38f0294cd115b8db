/** How busy the server is, in percent of the request slots of its running workers, rounded down. */
export interface LoadNumbers {
  /** Free slots. */
  readonly idle: number
  /** Slots with a request. */
  readonly busy: number
}

/** The part of the server's status that is needed. */
export interface LoadStatus {
  readonly threadsPerWorker: number
  readonly workers: readonly { readonly busy: number }[]
}

/**
 * The numbers for `%i` and `%b`. Those of other workers are requested asynchronously before the handler runs.
 * A response without a handler uses the numbers of the latest request.
 */
export class ServerLoad implements LoadNumbers {
  idle = 100
  busy = 0
  readonly #status: () => Promise<LoadStatus>

  constructor(status: () => Promise<LoadStatus>) {
    this.#status = status
  }

  /** Updates the numbers. Never rejects, because a request must not fail if they are unavailable. */
  async refresh(): Promise<void> {
    try {
      const { workers, threadsPerWorker } = await this.#status()
      const places = workers.length * threadsPerWorker
      if (places <= 0) return
      let inWork = 0
      for (const { busy } of workers) inWork += busy
      inWork = Math.min(places, inWork)
      this.busy = Math.floor((inWork * 100) / places)
      this.idle = Math.floor(((places - inWork) * 100) / places)
    } catch {
      // The previous numbers are kept.
    }
  }
}
