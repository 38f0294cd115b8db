import { isatty } from 'node:tty'
import { pino } from 'pino'
import { prettyFactory } from 'pino-pretty'
import { DescriptorDestination } from './descriptor-destination.ts'
import type { LogDestination, RecordDestination, TroubleListener } from './destination.ts'
import { describeEvent } from './error-line.ts'
import type { ErrorRecord } from './error-record.ts'
import { LEVEL_NAMES, type LogLevelName } from './levels.ts'

export interface ConsoleOptions {
  /** The descriptor to write to; 2, standard error, if absent. */
  readonly fd?: number
  /** If absent, colours are used when the descriptor is a terminal. */
  readonly colors?: 'always' | 'never'
  readonly onError?: TroubleListener
}

/**
 * The error log for people at a terminal: `[05:48:24.091] ERROR: authz_core: [client IP:PORT] AH01630: ...`,
 * with local time and the level in colour. Lines that are already formatted (start-up messages, standard
 * error of programs) are written unchanged.
 */
export class ConsoleDestination implements RecordDestination {
  readonly #lines: LogDestination
  readonly #logger: pino.Logger<LogLevelName, true>

  constructor(options: ConsoleOptions = {}) {
    const fd = options.fd ?? 2
    const lines = new DescriptorDestination(fd, { name: `console ${fd}`, onError: options.onError })
    const colorize = options.colors === undefined ? isatty(fd) : options.colors === 'always'
    const pretty = prettyFactory({
      colorize,
      customLevels: PINO_LEVELS,
      customColors: LEVEL_COLORS,
      translateTime: 'SYS:HH:MM:ss.l',
      ignore: 'module',
      messageFormat: '{module}: {msg}',
    })
    this.#lines = lines
    this.#logger = pino<LogLevelName, true>(
      { level: 'trace8', customLevels: PINO_LEVELS, useOnlyCustomLevels: true, base: null, timestamp: false },
      { write: (json) => lines.write(pretty(json)) },
    )
  }

  writeRecord(record: ErrorRecord): void {
    if (record.startup) this.#lines.write(`${describeEvent(record)}\n`)
    else this.#logger[LEVEL_NAMES[record.level]]({ time: record.time, module: record.module }, describeEvent(record))
  }

  write(line: string): void {
    this.#lines.write(line)
  }

  flush(): void {
    this.#lines.flush()
  }

  reopen(): void {
    this.#lines.reopen()
  }

  close(): void {
    this.#lines.close()
  }
}

/** pino's numbers increase with severity; error to debug keep the numbers that pino's users know. */
const PINO_LEVELS: Record<LogLevelName, number> = {
  emerg: 80,
  alert: 70,
  crit: 60,
  error: 50,
  warn: 40,
  notice: 35,
  info: 30,
  debug: 20,
  trace1: 18,
  trace2: 17,
  trace3: 16,
  trace4: 15,
  trace5: 14,
  trace6: 13,
  trace7: 12,
  trace8: 11,
}

const LEVEL_COLORS: Record<LogLevelName, string> = {
  emerg: 'bgRed',
  alert: 'bgRed',
  crit: 'bgRed',
  error: 'red',
  warn: 'yellow',
  notice: 'green',
  info: 'cyan',
  debug: 'blue',
  trace1: 'gray',
  trace2: 'gray',
  trace3: 'gray',
  trace4: 'gray',
  trace5: 'gray',
  trace6: 'gray',
  trace7: 'gray',
  trace8: 'gray',
}
