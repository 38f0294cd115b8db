import type { LogLevelName } from './log.ts'

/** A virtual host, or the main server. */
export interface Server {
  /** ServerName without scheme and port, or the guessed name. */
  readonly serverName: string
  /** Port of ServerName, 0 when it has none. */
  readonly serverPort: number
  readonly serverAdmin: string | null
  readonly documentRoot: string
  readonly isVirtual: boolean
  /** Where the virtual host is defined; the main file and line 0 for the main server. */
  readonly file: string
  readonly line: number
  /** Timeout in milliseconds, KeepAliveTimeout likewise. */
  readonly timeout: number
  readonly keepAliveTimeout: number
  /** What LogLevel says: lines below it are not written. */
  readonly loglevel: LogLevelName
}
