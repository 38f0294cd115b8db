import type { LogLevelName, LogSubject, ModuleLog, OsError } from '@gatewright/api'

const SEVERITY: Readonly<Record<string, number>> = { alert: 1, crit: 2, error: 3, warn: 4, notice: 5, info: 6, debug: 7 }

/**
 * All log lines of a test, as `module:level CODE: text`, with a system error in parentheses before the code.
 */
export class FakeLogs {
  readonly lines: string[] = []
  /** The least severe level that is logged. */
  level: LogLevelName = 'debug'

  of(module: string): ModuleLog {
    const enabled = (level: LogLevelName): boolean => (SEVERITY[level] ?? 99) <= (SEVERITY[this.level] ?? 99)
    return {
      enabled: (_subject, level) => enabled(level),
      write: (_subject: LogSubject, level, code, text, cause) => {
        if (enabled(level)) this.lines.push(`${module}:${level} ${causeText(cause)}${code === '' ? '' : `${code}: `}${text}`)
      },
      about: () => {
        throw new Error('not part of these tests')
      },
    }
  }

  /** Returns and removes the lines so far. */
  take(): string[] {
    return this.lines.splice(0)
  }
}

function causeText(cause: OsError | Error | undefined): string {
  if (cause === undefined) return ''
  if (cause instanceof Error) return `(${'code' in cause ? cause.code : cause.message}) `
  return `(${cause.code})${cause.text}: `
}
