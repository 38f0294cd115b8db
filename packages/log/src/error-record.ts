import type { OsError } from '@gatewright/api'
import type { LogLevel } from './levels.ts'

/**
 * One message for the error log, before it is formatted. Texts are byte strings; the formatters escape
 * untrusted parts.
 */
export interface ErrorRecord {
  /** Milliseconds since 1970; a fraction gives the microseconds. */
  readonly time: number
  /** Short name: `authz_core`, `core`, `mpm_event`. */
  readonly module: string
  readonly level: LogLevel
  readonly pid: number
  /** Kernel thread id; equal to the pid on the main thread. */
  readonly tid: number
  /** Shown at level debug and finer: `mod_authz_core.c`. */
  readonly sourceFile?: string
  readonly sourceLine?: number
  readonly osError?: OsError
  /** `IP:PORT` of the client of the request or connection that the message is about. */
  readonly client?: string
  /** The message is about a stream of a connection: httpd then names the client as `remote`. */
  readonly isOfStream?: boolean
  /** `IP:PORT` of the other end of a connection that the server opened itself. */
  readonly remote?: string
  /** Message number with its letters, `AH01630`; empty or absent if the message has none. */
  readonly code?: string
  readonly message: string
  /** Value of the request's Referer header. */
  readonly referer?: string
  /** A start-up message: its line has no time, module and process, regardless of ErrorLogFormat. */
  readonly startup?: boolean
  /** ServerName of the server that the message is about: `%v`. */
  readonly serverName?: string
  readonly connection?: ErrorLogConnection
  readonly request?: ErrorLogRequest
}

/** The properties of a connection that ErrorLogFormat can print. */
export interface ErrorLogConnection {
  /** `IP:PORT` of the peer: `%{c}a`. */
  readonly peer: string
  /** `IP:PORT` of the server's end: `%A`. */
  readonly local: string
  /** Requests on the connection before the present one: `%k`. */
  readonly keepAlives: number
  /** `%{c}L`. */
  readonly logId: string
}

/** The properties of a request that ErrorLogFormat can print. Absent values are undefined. */
export interface ErrorLogRequest {
  /** Name as UseCanonicalName chooses it: `%V`. */
  readonly serverName: string
  /** `%L`. */
  readonly logId: string
  header(name: string): string | undefined
  env(name: string): string | undefined
  note(name: string): string | undefined
}
