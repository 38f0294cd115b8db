import { formatErrorLine, LEVELS, type LogLevelName, passesThreshold } from '@gatewright/log'

/** A message about the configuration, issued while the configuration is read. */
export interface ConfigReport {
  /** Short name, '' for messages of the start-up class. */
  readonly module: string
  readonly level: LogLevelName
  /** `AH00111`, or '' for a message without a number. */
  readonly code: string
  readonly text: string
  /** Whether a line of a virtual host is the reason; absent: no. */
  readonly isOfHost?: boolean
}

/**
 * True if the level includes the message; a notice is always shown, as in every log of httpd that is not
 * syslog.
 */
export function isShown(report: ConfigReport, level: LogLevelName): boolean {
  return passesThreshold(LEVELS[report.level], LEVELS[level], 'file')
}

/** True for messages of httpd's start-up class: their lines never have time, module or process. */
export function isStartupMessage(report: ConfigReport): boolean {
  return report.module === '' || STARTUP_CODES.has(report.code)
}

/** The message as a line of the error log, with its line feed. */
export function reportLine(report: ConfigReport): string {
  return formatErrorLine({
    time: performance.timeOrigin + performance.now(),
    module: report.module,
    level: LEVELS[report.level],
    pid: process.pid,
    tid: process.pid,
    code: report.code,
    message: report.text,
    startup: isStartupMessage(report),
  })
}

/**
 * DocumentRoot, User and Group, NameVirtualHost, the server's own name, and the checks of the process model's
 * numbers.
 */
const STARTUP_CODES: ReadonlySet<string> = new Set([
  'AH00112',
  'AH00543',
  'AH00544',
  'AH00548',
  'AH00557',
  'AH00558',
  ...Array.from({ length: 23 }, (_, index) => `AH00${497 + index}`),
])
