/**
 * The first line of a module's file, for tools. Import from `@gatewright/api/stamp`.
 * @module stamp
 */

/**
 * What the build writes as first line of a module's file, and what LoadModule reads before it executes
 * anything: a comment that holds one JSON object. It guards against mistakes (a module of another API line, a
 * truncated or edited file), not against forgery.
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
  /** SHA-256 in hexadecimal of all bytes after the stamp's line. */
  readonly digest: string
  /**
   * What the module registers, for those who look at the file without running it; LoadModule does not.
   * @since 2.4.4
   */
  readonly contents?: StampedContents
}

/**
 * The registrations of a module, as far as its source text shows them.
 * @since 2.4.4
 */
export interface StampedContents {
  /** Names of directives, containers with `<` in front. */
  readonly directives: readonly string[]
  /** Names of hooks that it has functions in. */
  readonly hooks: readonly string[]
  /** Group and name of its providers, `authz ip`. */
  readonly providers: readonly string[]
  /** Which of these lists may lack something, because the text computes it. */
  readonly more: readonly string[]
}

/**
 * What the line begins with.
 * @since 2.4.4
 */
export const STAMP_PREFIX = '//! gatewright-module '

/** The first line of a module's file, with its line end. */
export function formatStamp(stamp: ModuleStamp): string {
  return `${STAMP_PREFIX}${JSON.stringify(stamp)}\n`
}

/**
 * Reads a stamp from the first line of a file; undefined when the line holds none or a malformed one, as one
 * is whose names are not those of a module.
 */
export function parseStamp(line: string): ModuleStamp | undefined {
  if (!line.startsWith(STAMP_PREFIX)) return undefined
  let value: unknown
  try {
    value = JSON.parse(line.slice(STAMP_PREFIX.length))
  } catch {
    return undefined
  }
  if (!isStamp(value)) return undefined
  const { contents, ...stamp } = value
  // What only informs is no reason to refuse a module.
  return isContents(contents) ? value : stamp
}

function isContents(value: unknown): value is StampedContents {
  if (typeof value !== 'object' || value === null) return false
  const record: Partial<Record<keyof StampedContents, unknown>> = value
  return isNames(record.directives) && isNames(record.hooks) && isNames(record.providers) && isNames(record.more)
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && PRINTABLE.test(name))
}

/**
 * A tool that examines a file of unknown origin prints its stamp: nothing in it may control a terminal or end
 * a line.
 */
const PRINTABLE = /^[\x20-\x7e]*$/
/** As `defineModule` holds modules to it. */
const IDENTIFIER = /^\w+_module$/
const SOURCE_NAME = /^\w+\.c$/

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value)
}

function isStamp(value: unknown): value is ModuleStamp {
  if (typeof value !== 'object' || value === null) return false
  const record: Partial<Record<keyof ModuleStamp, unknown>> = value
  return (
    isText(record.cookie, PRINTABLE) &&
    isText(record.api, PRINTABLE) &&
    typeof record.magic === 'number' &&
    isText(record.module, IDENTIFIER) &&
    isText(record.source, SOURCE_NAME) &&
    isText(record.digest, PRINTABLE)
  )
}
