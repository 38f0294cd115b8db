import { type BoundConfiguration, isSyslog } from '@gatewright/core'
import { LEVEL_NAMES, LEVELS, type LogLevelName } from '@gatewright/log'
import type { LogSettings } from '../supervisor/log-settings.ts'

/** How the main server's error log is written. */
export function logSettings({ main, plan }: BoundConfiguration): LogSettings {
  const levels = main.logLevels
  const modules: Record<string, LogLevelName> = {}
  for (const [name, level] of levels?.modules ?? []) modules[name] = LEVEL_NAMES[level]
  return {
    medium: isSyslog(plan.errorLog) ? 'syslog' : 'file',
    format: main.core.errorLogFormat ?? null,
    level: LEVEL_NAMES[levels?.level ?? LEVELS.warn],
    modules,
  }
}
