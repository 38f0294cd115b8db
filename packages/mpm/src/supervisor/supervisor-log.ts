import {
  appendablePath,
  compileErrorLogFormat,
  createErrorLineFormatter,
  createJsonWrapper,
  DescriptorDestination,
  type ErrorLineFormatter,
  type ErrorRecord,
  FileDestination,
  formatSyslogLine,
  JSON_FORMAT,
  LEVELS,
  type LogDestination,
  type LogLevelName,
  ownDescriptor,
  passesThreshold,
  type RecordDestination,
  withSeverity,
} from '@gatewright/log'
import type { LogSettings } from './log-settings.ts'

export interface SupervisorLogOptions {
  /** See Plan. */
  readonly target: string
  /** Descriptor of the pipe to the program that is the target; undefined for a file. */
  readonly pipe: number | undefined
  readonly settings: LogSettings
  /** For people at a terminal; null without one. */
  readonly watcher: RecordDestination | null
}

/** The supervisor's own lines in the server's error log: starts, stops, reloads and the deaths of workers. */
export class SupervisorLog {
  readonly #options: SupervisorLogOptions
  readonly #destination: LogDestination | null
  readonly #watcher: RecordDestination | null
  readonly #format: ErrorLineFormatter
  readonly #finish: (line: string) => string

  constructor(options: SupervisorLogOptions) {
    this.#options = options
    this.#destination = openTarget(options)
    // A log that goes to the terminal is not shown there a second time.
    this.#watcher = ownDescriptor(options.target) === 2 ? null : options.watcher
    this.#format = formatterOf(options.settings)
    this.#finish = options.settings.format === JSON_FORMAT ? createJsonWrapper() : (line) => `${line}\n`
  }

  /**
   * Descriptor for children whose standard error goes to the log; undefined if the log goes to the server's
   * own streams.
   */
  get fd(): number | undefined {
    return this.#destination instanceof FileDestination ? this.#destination.fd : this.#options.pipe
  }

  write(module: string, level: LogLevelName, code: string, text: string): void {
    const { settings } = this.#options
    if (!passesThreshold(LEVELS[level], LEVELS[settings.modules[module] ?? settings.level], settings.medium)) return
    const record: ErrorRecord = {
      time: performance.timeOrigin + performance.now(),
      module,
      level: LEVELS[level],
      pid: process.pid,
      tid: process.pid,
      code,
      message: text,
    }
    this.#watcher?.writeRecord(record)
    this.#destination?.write(this.#format(record))
  }

  /** A line that is already formatted, except for JSON, in which every line is an object. */
  writeLine(line: string): void {
    this.#watcher?.write(`${line}\n`)
    this.#destination?.write(this.#finish(line))
  }

  /** The same for a line that was printed before: into the log alone. */
  repeatLine(line: string): void {
    this.#destination?.write(this.#finish(line))
  }

  close(): void {
    this.#destination?.close()
    this.#watcher?.flush()
  }
}

/** The workers report a file that cannot be opened: they fail the start with httpd's message. */
function openTarget({ target, pipe }: SupervisorLogOptions): LogDestination | null {
  if (pipe !== undefined) return new DescriptorDestination(pipe, { name: target })
  const own = ownDescriptor(target)
  if (!target.startsWith('/') || (own !== undefined && own !== 1 && own !== 2)) return null
  const path = own === undefined ? target : appendablePath(own)
  if (own !== undefined && path === undefined) return new DescriptorDestination(own)
  try {
    return new FileDestination(path ?? target)
  } catch {
    return own === undefined ? null : new DescriptorDestination(own)
  }
}

function formatterOf({ format, medium }: LogSettings): ErrorLineFormatter {
  if (medium === 'syslog') return withSeverity(compiledFormat(format) ?? formatSyslogLine)
  return compiledFormat(format) ?? createErrorLineFormatter()
}

function compiledFormat(format: string | null): ErrorLineFormatter | undefined {
  if (format === null) return undefined
  const compiled = compileErrorLogFormat(format)
  return typeof compiled === 'string' ? undefined : compiled.formatter
}
