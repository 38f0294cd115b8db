import type { WorkerState } from './worker-process.ts'

/** What is known of a worker's heartbeat. */
export interface Watched {
  readonly state: WorkerState
  /** Time of `performance.now` at which it last gave a sign of life. */
  lastHeard: number
  /** Ends it if it runs JavaScript, and has it say what it was doing. @param seconds of its silence */
  interrupt(seconds: number): void
  /** Ends it in any case. */
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
  /** What a worker that is interrupted has left to say what it was doing. */
  readonly lastWords: number
}

export const HEARTBEAT_LIMITS: HeartbeatLimits = { silence: 20_000, loading: 60_000, tick: 1_000, lastWords: 2_000 }

/** Ends workers that do not answer any more: what is queued on their sockets would wait for ever. */
export class HeartbeatWatch {
  readonly #timer: NodeJS.Timeout
  readonly #interrupted = new WeakSet<Watched>()
  #lastTick = performance.now()

  constructor(workers: () => Iterable<Watched>, limits: HeartbeatLimits) {
    this.#timer = setInterval(() => {
      const now = performance.now()
      // The machine slept, or this process was stopped: nobody's silence means anything.
      const slept = now - this.#lastTick > 3 * limits.tick
      this.#lastTick = now
      for (const worker of workers()) {
        // A worker that is prepared waits for another one, which is watched.
        if (slept || worker.state === 'prepared') worker.lastHeard = now
        const silence = now - worker.lastHeard
        if (silence <= (worker.state === 'loading' ? limits.loading : limits.silence)) continue
        if (this.#interrupted.has(worker)) continue
        this.#interrupted.add(worker)
        worker.interrupt(Math.round(silence / 1000))
        setTimeout(() => worker.kill(), limits.lastWords).unref()
      }
    }, limits.tick)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
