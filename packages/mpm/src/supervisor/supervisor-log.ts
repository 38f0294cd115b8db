import {
  compileErrorLogFormat,
  createErrorLineFormatter,
  DescriptorDestination,
  type ErrorLineFormatter,
  type ErrorRecord,
  FileDestination,
  LEVELS,
  type LogDestination,
  type LogLevelName,
  passesThreshold,
  type RecordDestination,
} from '@gatewright/log'
import type { LogSettings } from './log-settings.ts'

/** Where a line goes that the supervisor cannot write itself, because the error log is a program's or syslog's. */
export type Relay = (module: string, level: LogLevelName, code: string, text: string) => void

export interface SupervisorLogOptions {
  /** As Plan has it. */
  readonly target: string
  readonly settings: LogSettings
  readonly relay: Relay
  /** For people who watch, null when nobody does. */
  readonly watcher: RecordDestination | null
}

/** The supervisor's own lines in the server's error log: starts, stops, reloads and the deaths of workers. */
export class SupervisorLog {
  readonly #options: SupervisorLogOptions
  readonly #destination: LogDestination | null
  readonly #watcher: RecordDestination | null
  readonly #format: ErrorLineFormatter

  constructor(options: SupervisorLogOptions) {
    this.#options = options
    this.#destination = openTarget(options.target)
    // A log that goes to the terminal is not shown there twice.
    this.#watcher = options.target === '/dev/stderr' ? null : options.watcher
    this.#format = formatterOf(options.settings)
  }

  /** Descriptor for children whose standard error goes to the log; undefined when the log is not a file. */
  get fd(): number | undefined {
    return this.#destination instanceof FileDestination ? this.#destination.fd : undefined
  }

  write(module: string, level: LogLevelName, code: string, text: string): void {
    const { settings, relay } = this.#options
    if (!passesThreshold(LEVELS[level], LEVELS[settings.modules[module] ?? settings.level], 'file')) return
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
    if (this.#destination === null) relay(module, level, code, text)
    else this.#destination.write(this.#format(record))
  }

  /** A line that has its form already. */
  writeLine(line: string): void {
    this.#watcher?.write(`${line}\n`)
    this.#destination?.write(`${line}\n`)
  }

  close(): void {
    this.#destination?.close()
    this.#watcher?.flush()
  }
}

/** A file that cannot be opened is the workers' to complain about: they end the start with httpd's words. */
function openTarget(target: string): LogDestination | null {
  if (target === '/dev/stderr') return new DescriptorDestination(2)
  if (target === '/dev/stdout') return new DescriptorDestination(1)
  if (!target.startsWith('/')) return null
  try {
    return new FileDestination(target)
  } catch {
    return null
  }
}

function formatterOf({ format }: LogSettings): ErrorLineFormatter {
  if (format === null) return createErrorLineFormatter()
  const compiled = compileErrorLogFormat(format)
  return typeof compiled === 'string' ? createErrorLineFormatter() : (compiled.formatter ?? createErrorLineFormatter())
}
