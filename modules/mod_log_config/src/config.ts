import type { Condition, Server } from '@gatewright/api'
import type { FormatPart } from './parse-format.ts'

/** A format and its place in the configuration. */
export interface FormatLine {
  readonly parts: readonly FormatPart[]
  readonly file: string
  readonly line: number
}

/** Determines for each request whether it is logged. */
export type LogCondition =
  | { readonly kind: 'variable'; readonly name: string; readonly wanted: 'set' | 'unset' }
  | { readonly kind: 'expression'; readonly condition: Condition }

/** One CustomLog, GlobalLog or TransferLog line. */
export interface LogLine {
  /** As written, for messages. */
  readonly written: string
  /** Absolute path, or a command with its `|`. */
  readonly target: string
  /** Nickname or format as written; null for the server's default format. */
  readonly format: string | null
  readonly parts: readonly FormatPart[] | null
  readonly condition: LogCondition | null
  /** GlobalLog: used also by virtual hosts with logs of their own. */
  readonly isGlobal: boolean
  readonly server: Server
  readonly file: string
  readonly line: number
}

export interface LogConfig {
  /** By nickname in lower case, because httpd ignores the case of nicknames. */
  readonly formats: Map<string, FormatLine>
  readonly logs: LogLine[]
  /** Nickname or text of a LogFormat with one argument. */
  defaultFormat?: string
  defaultParts?: FormatLine
  buffered?: boolean
}

export function createLogConfig(): LogConfig {
  return { formats: new Map(), logs: [] }
}

/**
 * A virtual host with logs of its own writes these and the main server's GlobalLogs. Any other writes all
 * logs of the main server.
 */
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
