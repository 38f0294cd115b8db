/**
 * What the build writes as first line of a module's file, and what LoadModule reads before it executes anything: a comment that
 * holds one JSON object. It guards against mistakes (a module of another API line, a truncated or edited file), not against forgery.
 */
export interface ModuleStamp {
  /** Magic cookie of the API line: AP24, or AP22 for the former one. */
  readonly cookie: string
  /** API version the module was built against, `2.4.0`. */
  readonly api: string
  /** httpd's module magic number of that API line. */
  readonly magic: number
  /** Identifier and source name of the module. */
  readonly module: string
  /** Source name of the module. */
  readonly source: string
  /** SHA-256 in hexadecimal of all bytes behind the stamp's line. */
  readonly digest: string
}

const PREFIX = '//! gatewright-module '

/** The first line of a module's file, with its line end. */
export function formatStamp(stamp: ModuleStamp): string {
  return `${PREFIX}${JSON.stringify(stamp)}\n`
}

/** Reads a stamp from the first line of a file; undefined when the line holds none or a malformed one. */
export function parseStamp(line: string): ModuleStamp | undefined {
  if (!line.startsWith(PREFIX)) return undefined
  let value: unknown
  try {
    value = JSON.parse(line.slice(PREFIX.length))
  } catch {
    return undefined
  }
  return isStamp(value) ? value : undefined
}

function isStamp(value: unknown): value is ModuleStamp {
  if (typeof value !== 'object' || value === null) return false
  const record: Partial<Record<keyof ModuleStamp, unknown>> = value
  return (
    typeof record.cookie === 'string' &&
    typeof record.api === 'string' &&
    typeof record.magic === 'number' &&
    typeof record.module === 'string' &&
    typeof record.source === 'string' &&
    typeof record.digest === 'string'
  )
}
