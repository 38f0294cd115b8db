import { compileStrftime, type TimeFormatter } from '@gatewright/api/text'
import type { RotatelogsOptions } from './options.ts'

/** A file that is to be opened. */
export interface NextFile {
  readonly name: string
  /** When its interval ends, in seconds of {@link LogNames.now}; null if intervals have no end. */
  readonly end: number | null
}

/** The names of files and the limits of their intervals. Times are seconds since 1970, moved by the offset from UTC. */
export class LogNames {
  readonly #options: RotatelogsOptions
  readonly #clock: () => number
  readonly #format: TimeFormatter | null
  /** The number of the last file of -n. */
  #number = -1

  /** @param clock milliseconds since 1970 */
  constructor(options: RotatelogsOptions, clock: () => number) {
    this.#options = options
    this.#clock = clock
    this.#format = options.logFile.includes('%') ? compileStrftime(options.logFile, options.local ? 'local' : 'utc') : null
  }

  /** The present time. */
  now(): number {
    const ms = this.#clock()
    return ms / 1000 + this.#offsetAt(ms)
  }

  /** The file for the present time. */
  next(): NextFile {
    const { logFile, interval, files, truncates } = this.#options
    const now = this.now()
    const start = interval === 0 ? Math.floor(now) : Math.floor(now / interval) * interval
    const end = interval === 0 ? null : start + interval
    if (this.#format !== null) return { name: this.#format(this.#shownTime(start)), end }
    if (truncates === 'always') return { name: logFile, end }
    if (files === 0) return { name: `${logFile}.${String(start).padStart(10, '0')}`, end }
    this.#number = (this.#number + 1) % files
    return { name: this.#number === 0 ? logFile : `${logFile}.${this.#number}`, end }
  }

  /** The milliseconds whose fields are shown: local time has its offset already. */
  #shownTime(start: number): number {
    return (this.#options.local ? start - this.#offsetAt(this.#clock()) : start) * 1000
  }

  #offsetAt(ms: number): number {
    return this.#options.local ? -new Date(ms).getTimezoneOffset() * 60 : this.#options.offset
  }
}
