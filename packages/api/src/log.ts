import type { Connection } from './connection.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'

/**
 * Levels of the error log, most severe first; the place of each is httpd's number (emerg 0 ... debug 7,
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
  /** The system's words for it, `Permission denied`. */
  readonly text: string
}

/**
 * What a log line is about: a request and a connection add `[client ...]` and decide by their own LogLevel;
 * null is the main server.
 */
export type LogSubject = Request | Connection | Server | null

/**
 * The error log as seen by one module: its name is in every line, and `LogLevel NAME:debug` applies to it
 * alone.
 */
export interface ModuleLog {
  /**
   * True when a line of this level about this subject would be written. Ask before building a costly text.
   */
  enabled(subject: LogSubject, level: LogLevelName): boolean
  /**
   * Writes one line.
   * @param code httpd's message number with its letters (`AH01630`), or '' for a message that has none
   * @param text the message; control and non-ASCII bytes are escaped by the log
   * @param cause a system error, as `error.errno`-carrying Node errors or an {@link OsError}
   */
  write(subject: LogSubject, level: LogLevelName, code: string, text: string, cause?: OsError | Error): void
  /**
   * The log for lines about one request (httpd's `ap_log_rerror`), connection or server. It belongs to the
   * module, regardless of its caller: a provider's lines have the name of the provider's module.
   * {@link ModuleLog.write} does the same for all levels and with a code, without an object per line: prefer it.
   * @since 2.4.4
   */
  about(subject: LogSubject): SubjectLog
}

/**
 * The log of a module for lines about one subject, by level; the other levels are written by
 * {@link ModuleLog.write}.
 * @since 2.4.4
 */
export interface SubjectLog {
  /** Something failed that should not. */
  error(text: string, cause?: OsError | Error): void
  /** Something is wrong, but the server continues. */
  warn(text: string, cause?: OsError | Error): void
  /** Something that operators want to know in quiet times, too. */
  notice(text: string, cause?: OsError | Error): void
  /** Something that explains what happened. */
  info(text: string, cause?: OsError | Error): void
  /** Information for finding mistakes. */
  debug(text: string, cause?: OsError | Error): void
}
