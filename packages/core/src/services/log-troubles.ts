import { type LineLoss, osError, osErrorText, type WriteTrouble } from '@gatewright/log'
import type { CoreLog } from './error-log.ts'

/** Writes lines to where the server was started. */
export type Elsewhere = (lines: readonly string[]) => void

/** Reports logs that cannot be written: in the error log, and elsewhere if the error log itself fails. */
export class LogTroubles {
  readonly #log: CoreLog
  readonly #errorLog: () => string | undefined
  readonly #elsewhere: Elsewhere
  /** Lost lines by target that may be unreported, because the report may be among the lost lines. */
  readonly #lost = new Map<string, number>()

  /** @param errorLog the error log's target */
  constructor(log: CoreLog, errorLog: () => string | undefined, elsewhere: Elsewhere) {
    this.#log = log
    this.#errorLog = errorLog
    this.#elsewhere = elsewhere
  }

  trouble({ target, error }: WriteTrouble): void {
    this.#log.write(null, 'warn', 'AH00646', `Error writing to ${target}`, error)
    if (target !== this.#errorLog()) return
    const cause = osError(error)
    const reason = cause === undefined ? error.message : osErrorText(cause)
    this.#elsewhere([`${reason}: AH00646: Error writing to ${target}`, HINT])
  }

  loss({ target, lines }: LineLoss): void {
    this.#log.write(null, 'warn', '', lossText(target, lines))
    this.#lost.set(target, (this.#lost.get(target) ?? 0) + lines)
    if (target !== this.#errorLog()) return
    this.#elsewhere([...this.#lost].map(([lost, count]) => lossText(lost, count)))
    this.#lost.clear()
  }
}

const HINT =
  'hint: the server continues to run; free disk space: each process keeps up to 4 MiB of lines per log and writes them later'

function lossText(target: string, lines: number): string {
  return `${lines} log line${lines === 1 ? '' : 's'} could not be written to ${target}`
}
