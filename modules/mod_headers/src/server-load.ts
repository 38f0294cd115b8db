/** How busy the server is, in whole percent of the places for requests that running workers have. */
export interface LoadNumbers {
  /** Places that wait for a request. */
  readonly idle: number
  /** Places that have one. */
  readonly busy: number
}

/** What is asked of the server's status. */
export interface LoadStatus {
  readonly threadsPerWorker: number
  readonly workers: readonly { readonly busy: number }[]
}

/**
 * The numbers for `%i` and `%b`. Those of other workers have to be asked for, which takes a while: they are read before the handler runs, and a
 * response that is made without one shows what was read last.
 */
export class ServerLoad implements LoadNumbers {
  idle = 100
  busy = 0
  readonly #status: () => Promise<LoadStatus>

  constructor(status: () => Promise<LoadStatus>) {
    this.#status = status
  }

  /** Reads the numbers again. Never rejects: a request must not fail because they are unknown. */
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
      // The numbers of the last time stay.
    }
  }
}
