import type { LogLevelName } from '@gatewright/api'
import type { LogMedium } from '@gatewright/log'

/**
 * The settings with which the supervisor writes its own lines to the error log in the same form as the
 * workers. Plain data.
 */
export interface LogSettings {
  /** The target of the error log. */
  readonly medium: LogMedium
  /** ErrorLogFormat, null for the default. */
  readonly format: string | null
  /** LogLevel of the main server. */
  readonly level: LogLevelName
  /** LogLevel NAME:level, by short name. */
  readonly modules: Readonly<Record<string, LogLevelName>>
}
