import { osErrorText } from './errno.ts'
import type { ErrorLineFormatter } from './error-line.ts'
import { createJsonLines, jsonTime } from './json-lines.ts'
import { LEVEL_NAMES, LEVELS } from './levels.ts'

/**
 * The argument of `ErrorLogFormat` for JSON lines. httpd rejects the word because a format must contain `%M`.
 */
export const JSON_FORMAT = 'json'

/**
 * The error log as NDJSON, with names of the Elastic Common Schema. Start-up messages have all fields too,
 * because readers expect them in every line.
 */
export function createErrorJsonFormatter(): ErrorLineFormatter {
  const line = createJsonLines()
  return (record) => {
    const hasPlace = record.level >= LEVELS.debug && record.sourceFile !== undefined
    return line({
      '@timestamp': jsonTime(record.time),
      'log.level': LEVEL_NAMES[record.level],
      'log.logger': record.module,
      'event.code': record.code || undefined,
      message: record.message,
      'error.message': record.osError === undefined ? undefined : osErrorText(record.osError),
      ...addressOf('client', record.client),
      ...addressOf('destination', record.remote),
      'http.request.referrer': record.referer || undefined,
      'event.id': record.request?.logId || undefined,
      'server.address': record.serverName || undefined,
      'process.pid': record.pid,
      'log.origin.file.name': hasPlace ? record.sourceFile : undefined,
    })
  }
}

/**
 * Wraps a line that is already formatted, such as a program's output on standard error, as the message of a
 * JSON line.
 */
export function createJsonWrapper(): (line: string) => string {
  const make = createJsonLines()
  return (line) => make({ '@timestamp': jsonTime(Date.now()), message: line })
}

function addressOf(
  whose: 'client' | 'destination',
  addressAndPort: string | undefined,
): Readonly<Record<string, string | number>> {
  if (addressAndPort === undefined) return {}
  const colon = addressAndPort.lastIndexOf(':')
  return { [`${whose}.address`]: addressAndPort.slice(0, colon), [`${whose}.port`]: Number(addressAndPort.slice(colon + 1)) }
}
