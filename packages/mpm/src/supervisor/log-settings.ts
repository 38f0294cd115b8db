import type { LogLevelName } from '@gatewright/api'
import type { LogMedium } from '@gatewright/log'

/** What the supervisor has to know to write its own lines into the error log as the workers write theirs. Plain data. */
export interface LogSettings {
  /** What the error log is. */
  readonly medium: LogMedium
  /** ErrorLogFormat, null for the default. */
  readonly format: string | null
  /** LogLevel of the main server. */
  readonly level: LogLevelName
  /** LogLevel NAME:level, by short name. */
  readonly modules: Readonly<Record<string, LogLevelName>>
}
