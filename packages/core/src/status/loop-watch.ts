import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { ProcessGauges } from '@gatewright/api/status'

/** Duration of a measurement, and interval of checking the loop in it, in milliseconds. */
const WINDOW = 10_000
const RESOLUTION = 20

const NOTHING: ProcessGauges['loopDelay'] = { mean: 0, p99: 0, max: 0 }

/**
 * Measures the delay of the event loop. The values are those of the latest complete window, so that all
 * readers within one window see the same.
 */
export class LoopWatch {
  readonly #histogram: ReturnType<typeof monitorEventLoopDelay> = monitorEventLoopDelay({ resolution: RESOLUTION })
  readonly #timer: NodeJS.Timeout
  #latest = NOTHING

  constructor() {
    this.#histogram.enable()
    this.#timer = setInterval(() => this.#endWindow(), WINDOW).unref()
  }

  /** Milliseconds; of the current window if no window is complete yet. */
  get delay(): ProcessGauges['loopDelay'] {
    return this.#latest === NOTHING ? this.#measured() : this.#latest
  }

  /** Seconds since the start of the process in which the loop was active. */
  get active(): number {
    return performance.eventLoopUtilization().active / 1000
  }

  close(): void {
    clearInterval(this.#timer)
    this.#histogram.disable()
  }

  #endWindow(): void {
    this.#latest = this.#measured()
    this.#histogram.reset()
  }

  #measured(): ProcessGauges['loopDelay'] {
    if (this.#histogram.count === 0) return NOTHING
    const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION)
    return { mean: late(this.#histogram.mean), p99: late(this.#histogram.percentile(99)), max: late(this.#histogram.max) }
  }
}
