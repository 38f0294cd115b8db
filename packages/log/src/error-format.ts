import { type FormatItem, type ItemValue, itemValue } from './error-format-items.ts'
import { parseErrorFormat } from './error-format-parse.ts'
import { createErrorJsonFormatter, JSON_FORMAT } from './error-json.ts'
import { type ErrorLineFormatter, endLine, formatErrorLine, messageText } from './error-line.ts'
import type { ErrorRecord } from './error-record.ts'
import type { LogLevel } from './levels.ts'

/**
 * The format of every message, or of an extra line that is written once, before the first message of a
 * connection or request.
 */
export type ErrorFormatKind = 'main' | 'connection' | 'request'

/** A compiled `ErrorLogFormat`. */
export interface ErrorLogFormat {
  readonly kind: ErrorFormatKind
  /**
   * Makes the line; the record of a connection or request line is that of the message that causes it.
   * Undefined for an empty format, which removes inherited formats of its kind.
   */
  readonly formatter: ErrorLineFormatter | undefined
}

/**
 * Compiles the arguments of `ErrorLogFormat "FORMAT"`, `ErrorLogFormat json` or `ErrorLogFormat
 * connection|request "FORMAT"`.
 * @returns httpd's message if they are invalid
 */
export function compileErrorLogFormat(first: string, second?: string): ErrorLogFormat | string {
  if (second === undefined && first === JSON_FORMAT) return { kind: 'main', formatter: createErrorJsonFormatter() }
  if (second === undefined) return compileKind('main', first)
  const kind = first.toLowerCase()
  if (kind !== 'connection' && kind !== 'request') return 'ErrorLogFormat type must be one of request, connection'
  return second === '' ? { kind, formatter: undefined } : compileKind(kind, second)
}

function compileKind(kind: ErrorFormatKind, format: string): ErrorLogFormat | string {
  const items = parseErrorFormat(format)
  if (typeof items === 'string') return items
  const steps: Step[] = []
  for (const item of items) {
    const problem = kind === 'main' ? mainProblem(item) : onceProblem(item)
    if (problem !== undefined) return problem
    steps.push(compileItem(item, kind))
  }
  if (kind !== 'main') return { kind, formatter: (record) => onceLine(runSteps(steps, onceRecord(record, kind), NO_LEVEL)) }
  if (!items.some((item) => item.letter === 'M')) return "main ErrorLogFormat must contain message format string '%M'"
  return {
    kind,
    formatter: (record) => (record.startup ? formatErrorLine(record) : endLine(runSteps(steps, record, record.level))),
  }
}

function mainProblem(item: FormatItem): string | undefined {
  return item.required ? "The '+' flag cannot be used in the main error log format" : undefined
}

function onceProblem(item: FormatItem): string | undefined {
  if (item.letter === 'M') return '%M cannot be used in once-per-request or once-per-connection formats'
  if (item.minLevel === 0) return undefined
  return 'The loglevel cannot be used as a condition in once-per-request or once-per-connection formats'
}

interface Step {
  readonly startsField: boolean
  readonly isMessage: boolean
  readonly required: boolean
  readonly hyphen: boolean
  readonly minLevel: number
  readonly value: ItemValue
}

function compileItem(item: FormatItem, kind: ErrorFormatKind): Step {
  const isMessage = item.letter === 'M'
  const { startsField, required, hyphen, minLevel } = item
  const value = isMessage ? messageText : itemValue(item, kind === 'main' ? 'message' : 'once')
  return { startsField, isMessage, required, hyphen, minLevel, value }
}

/** Items of a connection or request line do not depend on a level. */
const NO_LEVEL = 15

/** A connection line contains nothing about a request, even if a request's message causes it. */
function onceRecord(record: ErrorRecord, kind: ErrorFormatKind): ErrorRecord {
  return kind === 'connection' ? { ...record, request: undefined, client: record.connection?.peer ?? record.client } : record
}

/**
 * httpd omits connection and request lines without content, but writes a message's line even if it is empty.
 */
function onceLine(text: string): string {
  return text === '' ? '' : endLine(text)
}

/**
 * Drops a field as soon as one of its items is empty, but still writes a message that comes later in the
 * field.
 */
function runSteps(steps: readonly Step[], record: ErrorRecord, level: LogLevel): string {
  let line = ''
  let fieldStart = 0
  let skipping = false
  for (const step of steps) {
    if (step.startsField) {
      fieldStart = line.length
      skipping = false
    }
    if (step.isMessage) {
      line += step.value(record)
      continue
    }
    if (skipping) continue
    const text = step.minLevel > level ? undefined : step.value(record)
    if (text) {
      line += text
    } else if (text === '' && step.required) {
      return ''
    } else if (text === '' && step.hyphen) {
      line += '-'
    } else {
      line = line.slice(0, fieldStart)
      skipping = true
    }
  }
  return line
}
