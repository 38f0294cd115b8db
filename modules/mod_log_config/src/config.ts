import type { Condition, Server } from '@gatewright/api'
import type { FormatPart } from './parse-format.ts'

/** A format with the place it was written at. */
export interface FormatLine {
  readonly parts: readonly FormatPart[]
  readonly file: string
  readonly line: number
}

/** What decides for each request whether a log gets a line. */
export type LogCondition =
  | { readonly kind: 'variable'; readonly name: string; readonly wanted: 'set' | 'unset' }
  | { readonly kind: 'expression'; readonly condition: Condition }

/** One CustomLog, GlobalLog or TransferLog line. */
export interface LogLine {
  /** As it is written, for messages. */
  readonly written: string
  /** Absolute path, or a command with its `|`. */
  readonly target: string
  /** Nickname or format as it is written; null for the server's default format. */
  readonly format: string | null
  readonly parts: readonly FormatPart[] | null
  readonly condition: LogCondition | null
  /** GlobalLog: virtual hosts with logs of their own write it, too. */
  readonly isGlobal: boolean
  readonly server: Server
  readonly file: string
  readonly line: number
}

export interface LogConfig {
  /** By nickname in lower case: httpd finds nicknames without regard to case. */
  readonly formats: Map<string, FormatLine>
  readonly logs: LogLine[]
  /** Nickname or text of LogFormat with one argument. */
  defaultFormat?: string
  defaultParts?: FormatLine
  buffered?: boolean
}

export function createLogConfig(): LogConfig {
  return { formats: new Map(), logs: [] }
}

/** A virtual host with logs of its own writes these and then the main server's GlobalLogs; another one writes all of the main server's. */
export function mergeLogConfig(base: Readonly<LogConfig>, over: Readonly<LogConfig>): LogConfig {
  const hasDefault = over.defaultParts !== undefined
  return {
    formats: new Map([...base.formats, ...over.formats]),
    logs: over.logs.length === 0 ? base.logs : [...over.logs, ...base.logs.filter(({ isGlobal }) => isGlobal)],
    defaultFormat: hasDefault ? over.defaultFormat : base.defaultFormat,
    defaultParts: hasDefault ? over.defaultParts : base.defaultParts,
    buffered: over.buffered ?? base.buffered,
  }
}
