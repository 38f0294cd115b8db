import { createErrorLogClock, createStrftimeClock, escapeErrorLogItem, microsecondsOf } from '@gatewright/api/text'
import { osErrorText } from './errno.ts'
import { sourcePlace } from './error-line.ts'
import type { ErrorRecord } from './error-record.ts'
import { LEVEL_NAMES } from './levels.ts'

/** One piece of a format: literal text, the message or a value. */
export interface FormatItem {
  /** Whether a field begins here: a field with an empty value is dropped as a whole. */
  readonly startsField: boolean
  /** The item's letter; empty for literal text, which then is the argument. */
  readonly letter: string
  /** The text in braces. */
  readonly argument: string
  /** `%+X`: without a value, the line is omitted. */
  readonly required: boolean
  /** `%-X`: a missing value is written `-`. */
  readonly hyphen: boolean
  /** `%7X`: shown for messages of this level and more verbose ones; 0 without a condition. */
  readonly minLevel: number
}

/** The text of an item for a record; empty if there is no value. */
export type ItemValue = (record: ErrorRecord) => string

/**
 * Compiles an item. In lines that are written *once*, the message's own values (level, module, error, place)
 * are empty.
 */
export function itemValue(item: FormatItem, use: 'message' | 'once'): ItemValue {
  const { argument } = item
  switch (item.letter) {
    case '':
      return () => argument
    case 'a':
      return argument === 'c' ? (record) => record.connection?.peer ?? clientOf(record) : clientOf
    case 'A':
      return (record) => record.connection?.local ?? ''
    case 'e':
      return (record) => escapeErrorLogItem(record.request?.env(argument) ?? '')
    case 'i':
      return (record) => escapeErrorLogItem(record.request?.header(argument) ?? '')
    case 'n':
      return (record) => escapeErrorLogItem(record.request?.note(argument) ?? '')
    case 'k':
      return (record) => (record.connection ? String(record.connection.keepAlives) : '')
    case 'L':
      return logId(argument)
    case 'P':
      return (record) => String(record.pid)
    case 'T':
      return (record) => String(record.tid)
    case 't':
      return time(argument)
    case 'v':
      return (record) => record.serverName ?? ''
    case 'V':
      return (record) => escapeErrorLogItem(record.request?.serverName ?? '')
    default:
      return use === 'message' ? messageValue(item.letter) : () => ''
  }
}

function messageValue(letter: string): ItemValue {
  switch (letter) {
    case 'E':
      return (record) => (record.osError ? osErrorText(record.osError) : '')
    case 'F':
      return sourcePlace
    case 'l':
      return (record) => LEVEL_NAMES[record.level]
    case 'm':
      return (record) => record.module
    default:
      return () => ''
  }
}

function clientOf(record: ErrorRecord): string {
  return record.client ?? record.remote ?? ''
}

/** `%L` the request's id; `%{c}L` the connection's; `%{C}L` the connection's outside a request only. */
function logId(argument: string): ItemValue {
  switch (argument) {
    case 'c':
      return (record) => record.connection?.logId ?? ''
    case 'C':
      return (record) => (record.request ? '' : (record.connection?.logId ?? ''))
    default:
      return (record) => record.request?.logId ?? ''
  }
}

/**
 * A format that contains `%` is one of strftime; otherwise `u` adds microseconds, `c` is compact ISO form,
 * `z` adds the zone's offset.
 */
function time(argument: string): ItemValue {
  if (argument.includes('%')) {
    const clock = createStrftimeClock(argument)
    return (record) => clock(record.time)
  }
  const moment = argument.includes('c') ? compactTime(argument) : longTime(argument)
  if (!argument.includes('z')) return moment
  const zone = createStrftimeClock(' %z')
  return (record) => moment(record) + zone(record.time)
}

function compactTime(argument: string): ItemValue {
  const clock = createStrftimeClock('%Y-%m-%d %H:%M:%S')
  if (!argument.includes('u')) return (record) => clock(record.time)
  return (record) => `${clock(record.time)}.${String(1_000_000 + microsecondsOf(record.time)).slice(1)}`
}

function longTime(argument: string): ItemValue {
  if (!argument.includes('u')) {
    const plain = createStrftimeClock('%a %b %d %H:%M:%S %Y')
    return (record) => plain(record.time)
  }
  const clock = createErrorLogClock()
  return (record) => clock(record.time)
}
