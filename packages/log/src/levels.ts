import { LOG_LEVELS, type LogLevelName } from '@gatewright/api'

export type { LogLevelName }

/** Severity in httpd's numbers: 0 is `emerg`, 7 `debug`, 8 to 15 `trace1` to `trace8`. */
export type LogLevel = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15

/** The number of each level name. */
export const LEVELS: Readonly<Record<LogLevelName, LogLevel>> = {
  emerg: 0,
  alert: 1,
  crit: 2,
  error: 3,
  warn: 4,
  notice: 5,
  info: 6,
  debug: 7,
  trace1: 8,
  trace2: 9,
  trace3: 10,
  trace4: 11,
  trace5: 12,
  trace6: 13,
  trace7: 14,
  trace8: 15,
}

/** The name of each level number. */
export const LEVEL_NAMES: readonly LogLevelName[] = LOG_LEVELS

/** The level of a keyword of `LogLevel`, in any case; undefined for every other word. */
export function parseLevel(word: string): LogLevel | undefined {
  return LEVEL_BY_NAME.get(word.toLowerCase())
}

const LEVEL_BY_NAME: ReadonlyMap<string, LogLevel> = new Map(Object.entries(LEVELS))

/** True for whole numbers from 0 to 15. */
export function isLogLevel(value: number): value is LogLevel {
  return Number.isInteger(value) && value >= 0 && value <= 15
}

/** The kind of destination, for the exception for notices: files, pipes and terminals are treated alike. */
export type LogMedium = 'file' | 'syslog'

/**
 * Whether a threshold lets a message through: it is severe enough, or a *notice*, which only syslog ever
 * drops.
 */
export function passesThreshold(level: LogLevel, threshold: LogLevel, medium: LogMedium): boolean {
  return level <= threshold || (level === LEVELS.notice && medium !== 'syslog')
}
