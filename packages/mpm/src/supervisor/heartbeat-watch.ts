import type { WorkerState } from './worker-process.ts'

/** The heartbeat of a worker. */
export interface Watched {
  readonly state: WorkerState
  /** True while a person has to act before it can continue. */
  readonly waitsForPerson: boolean
  /** Time of `performance.now` at which it last sent a message. */
  lastHeard: number
  /**
   * Ends the worker if it is executing JavaScript, and makes it report what it was doing.
   * @param seconds duration of its silence
   */
  interrupt(seconds: number): void
  /** Ends the worker in any case. */
  kill(): void
}

/** Milliseconds. Once a second, workers report that their event loop runs. */
export interface HeartbeatLimits {
  /** A worker that is silent for longer is blocked. */
  readonly silence: number
  /** The same while the worker loads, which may take longer. */
  readonly loading: number
  /** Interval between checks. */
  readonly tick: number
  /** Time for an interrupted worker to report what it was doing. */
  readonly lastWords: number
}

export const HEARTBEAT_LIMITS: HeartbeatLimits = { silence: 20_000, loading: 60_000, tick: 1_000, lastWords: 2_000 }

/** Ends workers that no longer respond: connections queued on their sockets would wait for ever. */
export class HeartbeatWatch {
  readonly #timer: NodeJS.Timeout
  readonly #interrupted = new WeakSet<Watched>()
  #lastTick = performance.now()

  constructor(workers: () => Iterable<Watched>, limits: HeartbeatLimits) {
    this.#timer = setInterval(() => {
      const now = performance.now()
      // The machine was suspended, or this process was stopped: silence has no meaning.
      const slept = now - this.#lastTick > 3 * limits.tick
      this.#lastTick = now
      for (const worker of workers()) {
        // A prepared worker waits for another one, which is watched.
        if (slept || worker.state === 'prepared' || worker.waitsForPerson) worker.lastHeard = now
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
