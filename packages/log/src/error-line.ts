import { createErrorLogClock, errorLogTime, escapeErrorLogItem } from '@gatewright/api/text'
import { osErrorText } from './errno.ts'
import type { ErrorRecord } from './error-record.ts'
import { LEVEL_NAMES, LEVELS } from './levels.ts'

/** Makes one line, with its line feed; an empty string means that nothing is written. */
export type ErrorLineFormatter = (record: ErrorRecord) => string

/**
 * The default line of the error log: `[TIME] [MODULE:LEVEL] [pid P:tid T] FILE(LINE): (ERRNO)TEXT: [client
 * IP:PORT] AHnnnnn: MESSAGE, referer: URL`
 *
 * A start-up message does not have the first three fields. A line has at most 8191 bytes with the line feed,
 * as measured with httpd.
 */
export function formatErrorLine(record: ErrorRecord): string {
  return record.startup ? finish('', record) : finish(`[${errorLogTime(record.time)}] ${origin(record)}`, record)
}

/** Like `formatErrorLine`, but formats the time of each second only once. */
export function createErrorLineFormatter(): ErrorLineFormatter {
  const clock = createErrorLogClock()
  return (record) => (record.startup ? finish('', record) : finish(`[${clock(record.time)}] ${origin(record)}`, record))
}

/** The default line without its time, because syslog adds the time. */
export function formatSyslogLine(record: ErrorRecord): string {
  return finish(record.startup ? '' : origin(record), record)
}

/**
 * Lines for a program that reads the severity from the beginning of each line, in syslog's numbers: `<3>` is
 * an error. Messages more verbose than debug count as debug.
 */
export function withSeverity(format: ErrorLineFormatter): ErrorLineFormatter {
  return (record) => {
    const line = format(record)
    return line === '' ? '' : `<${Math.min(record.level, LEVELS.debug)}>${line}`
  }
}

/** The part of a line that describes the event: from the source file or system error to the referer. */
export function describeEvent(record: ErrorRecord): string {
  return withReferer(sourceAndSubject(record) + messageText(record), record)
}

/** Number and text of a message, escaped. */
export function messageText(record: ErrorRecord): string {
  const message = escapeErrorLogItem(record.message)
  return record.code ? `${record.code}: ${message}` : message
}

/** `FILE(LINE)` of the code that logs, or nothing. */
export function sourcePlace(record: ErrorRecord): string {
  return record.sourceFile ? `${record.sourceFile}(${record.sourceLine ?? 0})` : ''
}

/**
 * Truncates a line to the size of httpd's buffer, 8192 bytes with its end mark, and appends the line feed.
 */
export function endLine(text: string): string {
  return `${text.length > LONGEST ? text.slice(0, LONGEST) : text}\n`
}

/** Bytes of the longest line without its line feed. */
const LONGEST = 8190

function finish(head: string, record: ErrorRecord): string {
  return endLine(withReferer(head + sourceAndSubject(record) + messageText(record), record))
}

function origin(record: ErrorRecord): string {
  return `[${record.module}:${LEVEL_NAMES[record.level]}] [pid ${record.pid}:tid ${record.tid}] `
}

function sourceAndSubject(record: ErrorRecord): string {
  let text = ''
  if (record.level >= LEVELS.debug && record.sourceFile) text += `${sourcePlace(record)}: `
  if (record.osError) text += `${osErrorText(record.osError)}: `
  if (record.client) text += `[${record.isOfStream === true ? 'remote' : 'client'} ${record.client}] `
  else if (record.remote) text += `[remote ${record.remote}] `
  return text
}

/** A referer is omitted, with its label, if not even its first byte fits. */
function withReferer(text: string, record: ErrorRecord): string {
  if (!record.referer || text.length + REFERER_LABEL.length > LONGEST) return text
  return text + REFERER_LABEL + escapeErrorLogItem(record.referer)
}

const REFERER_LABEL = ', referer: '
