import type { LogLevelName } from './log.ts'

/** A virtual host, or the main server. */
export interface Server {
  /** ServerName without scheme and port, or the guessed name. */
  readonly serverName: string
  /** Port of ServerName, 0 if it has none. */
  readonly serverPort: number
  readonly serverAdmin: string | null
  readonly documentRoot: string
  readonly isVirtual: boolean
  /** The file that defines the virtual host; the main file for the main server. */
  readonly file: string
  readonly line: number
  /** Timeout in milliseconds. */
  readonly timeout: number
  readonly keepAliveTimeout: number
  /** The level set by LogLevel: less severe lines are not written. */
  readonly loglevel: LogLevelName
}
