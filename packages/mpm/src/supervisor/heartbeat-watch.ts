import type { WorkerState } from './worker-process.ts'

/** What is known of a worker's heartbeat. */
export interface Watched {
  readonly state: WorkerState
  /** Time of `performance.now` at which it last gave a sign of life. */
  lastHeard: number
  kill(): void
}

/** Milliseconds. Workers tell once a second that their event loop turns. */
export interface HeartbeatLimits {
  /** A worker that is silent for longer is blocked. */
  readonly silence: number
  /** The same while it loads, which may take its time. */
  readonly loading: number
  /** How often they are looked at. */
  readonly tick: number
}

const LIMITS: HeartbeatLimits = { silence: 20_000, loading: 60_000, tick: 1_000 }

/** Ends workers that do not answer any more: what is queued on their sockets would wait for ever. */
export class HeartbeatWatch<W extends Watched> {
  readonly #timer: NodeJS.Timeout
  #lastTick = performance.now()

  /** @param tell told about each worker just before it is killed, with the seconds of its silence */
  constructor(workers: () => Iterable<W>, tell: (worker: W, seconds: number) => void, limits: HeartbeatLimits = LIMITS) {
    this.#timer = setInterval(() => {
      const now = performance.now()
      // The machine slept, or this process was stopped: nobody's silence means anything.
      const slept = now - this.#lastTick > 3 * limits.tick
      this.#lastTick = now
      for (const worker of workers()) {
        if (slept) worker.lastHeard = now
        const silence = now - worker.lastHeard
        if (silence <= (worker.state === 'loading' ? limits.loading : limits.silence)) continue
        tell(worker, Math.round(silence / 1000))
        worker.kill()
      }
    }, limits.tick)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
