import type { JsonFields } from '@gatewright/api'
import { microsecondsOf } from '@gatewright/api/text'
import { pino } from 'pino'

/**
 * The first field of each line, in place of pino's level: the version of the Elastic Common Schema that
 * defines the names.
 */
const SCHEMA = { 'ecs.version': '8.11.0' }

/**
 * Makes the NDJSON lines of a log, with pino, each with its line feed. pino is set up when the first line is
 * made.
 */
export function createJsonLines(): (fields: JsonFields) => string {
  let made = ''
  const write = (line: string): void => {
    made = line
  }
  const logger = pino({ base: null, timestamp: false, formatters: { level: () => SCHEMA } }, { write })
  return (fields) => {
    logger.info(decoded(fields))
    return asciiOnly(made)
  }
}

/**
 * A moment in UTC with microseconds: `2026-11-21T05:50:05.313213Z`.
 * @param ms milliseconds since 1970, with fraction
 */
export function jsonTime(ms: number): string {
  const toSecond = new Date(Math.floor(ms)).toISOString().slice(0, 20)
  return `${toSecond}${String(1_000_000 + microsecondsOf(ms)).slice(1)}Z`
}

const BEYOND_ASCII = /[^\0-\x7e]/
const EACH_BEYOND_ASCII = /[^\0-\x7e]/g

function decoded(fields: JsonFields): JsonFields {
  const texts: Record<string, string | number> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value === undefined || value === null) continue
    texts[name] = typeof value === 'string' && BEYOND_ASCII.test(value) ? textOf(value) : value
  }
  return texts
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes byte strings as UTF-8; if they are not valid UTF-8, each byte becomes a character. */
function textOf(bytes: string): string {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return bytes
  }
}

/** Logs are written as bytes, and JSON must be UTF-8; ASCII satisfies both. */
function asciiOnly(line: string): string {
  if (!BEYOND_ASCII.test(line)) return line
  return line.replace(EACH_BEYOND_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
