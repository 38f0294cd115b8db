import type { Connection } from './connection.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'

/**
 * Levels of the error log, most severe first; the index of each is httpd's number (emerg 0 ... debug 7,
 * trace1 8 ... trace8 15).
 */
export const LOG_LEVELS = [
  'emerg',
  'alert',
  'crit',
  'error',
  'warn',
  'notice',
  'info',
  'debug',
  'trace1',
  'trace2',
  'trace3',
  'trace4',
  'trace5',
  'trace6',
  'trace7',
  'trace8',
] as const
/** Name of a level. */
export type LogLevelName = (typeof LOG_LEVELS)[number]

/** A system error that belongs to a log line: printed as `(13)Permission denied: ` in front of the client. */
export interface OsError {
  /** Number of the error, `errno`: positive. */
  readonly code: number
  /** The system's text for it, `Permission denied`. */
  readonly text: string
}

/**
 * The subject of a log line. A request or connection adds `[client ...]` and applies its own LogLevel; null
 * is the main server.
 */
export type LogSubject = Request | Connection | Server | null

/**
 * The error log for one module: every line contains the module's name, and `LogLevel NAME:debug` applies to
 * it alone.
 */
export interface ModuleLog {
  /**
   * Whether a line of this level about this subject would be written. Check this before you build a costly
   * text.
   */
  enabled(subject: LogSubject, level: LogLevelName): boolean
  /**
   * Writes one line.
   * @param code httpd's message number with its letters (`AH01630`), or '' for a message without one
   * @param text the message; the log escapes control and non-ASCII bytes
   * @param cause a system error: a Node error with `errno`, or an {@link OsError}
   */
  write(subject: LogSubject, level: LogLevelName, code: string, text: string, cause?: OsError | Error): void
  /**
   * The log for lines about one request (httpd's `ap_log_rerror`), connection or server. It belongs to the
   * module, regardless of its caller: a provider's lines have the name of the provider's module. Prefer
   * {@link ModuleLog.write}, which supports all levels and a code, without creating an object per line.
   * @since 2.4.4
   */
  about(subject: LogSubject): SubjectLog
}

/**
 * The log of a module for lines about one subject, by level; use {@link ModuleLog.write} for the other
 * levels.
 * @since 2.4.4
 */
export interface SubjectLog {
  /** Writes about a failure. */
  error(text: string, cause?: OsError | Error): void
  /** Writes about a problem that does not stop the server. */
  warn(text: string, cause?: OsError | Error): void
  /** Writes what operators need to know in normal operation. */
  notice(text: string, cause?: OsError | Error): void
  /** Writes an explanation of what happened. */
  info(text: string, cause?: OsError | Error): void
  /** Writes information for debugging. */
  debug(text: string, cause?: OsError | Error): void
}
