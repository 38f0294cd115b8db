import type { WorkerProcess } from './worker-process.ts'

/** Workers tell once a second that their event loop turns. One that is silent for so long (ms) is blocked. */
const SILENCE = 20_000
/** Loading may take its time: nothing waits for it but the start. */
const LOADING = 60_000
const TICK = 1_000

/** Ends workers that do not answer any more: what is queued on their sockets would wait for ever. */
export class HeartbeatWatch {
  readonly #timer: NodeJS.Timeout
  #lastTick = performance.now()

  /** @param give told about each worker just before it is killed, with the seconds of silence */
  constructor(workers: () => Iterable<WorkerProcess>, give: (worker: WorkerProcess, seconds: number) => void) {
    this.#timer = setInterval(() => {
      const now = performance.now()
      // The machine slept, or this process was stopped: nobody's silence means anything.
      const slept = now - this.#lastTick > 3 * TICK
      this.#lastTick = now
      for (const worker of workers()) {
        if (slept) worker.lastHeard = now
        const silence = now - worker.lastHeard
        if (silence <= (worker.state === 'loading' ? LOADING : SILENCE)) continue
        give(worker, Math.round(silence / 1000))
        worker.kill()
      }
    }, TICK)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
