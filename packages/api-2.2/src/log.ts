import type { Connection } from './connection.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'

/** Levels of the error log, most severe first. */
export const LOG_LEVELS = ['emerg', 'alert', 'crit', 'error', 'warn', 'notice', 'info', 'debug'] as const
export type LogLevelName = (typeof LOG_LEVELS)[number]

/** A system error that belongs to a log line: printed as `(13)Permission denied: ` in front of the client. */
export interface OsError {
  readonly code: number
  readonly text: string
}

/** The subject of a log line; null is the main server. */
export type LogSubject = Request | Connection | Server | null

/** The error log. A server has one level for all modules, `server.loglevel`. */
export interface ModuleLog {
  /**
   * Writes one line.
   * @param code number of the message with its letters, or '' for a message without one
   */
  write(subject: LogSubject, level: LogLevelName, code: string, text: string, cause?: OsError | Error): void
}
