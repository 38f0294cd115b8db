/**
 * The first line of a module's file, for tools. Import from `@gatewright/api/stamp`.
 * @module stamp
 */

import type { ModuleCapability } from './capability.ts'

/**
 * The first line of a module's file, written by the build: a comment that contains one JSON object.
 * LoadModule reads it before it executes anything. It guards against mistakes (a module of another API line,
 * a truncated or edited file), not against forgery.
 */
export interface ModuleStamp {
  /** Magic cookie of the API line: AP24, or AP22 for the former line. */
  readonly cookie: string
  /** API version the module was built against, `2.4.0`. */
  readonly api: string
  /** httpd's module magic number of that API line. */
  readonly magic: number
  /** Identifier of the module. */
  readonly module: string
  /** Source name of the module. */
  readonly source: string
  /** SHA-256 in hexadecimal of all bytes after the stamp's line. */
  readonly digest: string
  /**
   * The module's registrations, for tools that read the file without executing it. LoadModule ignores them.
   * @since 2.4.4
   */
  readonly contents?: StampedContents
  /**
   * What the module declares to use beyond the API; absent in files that were built before API 2.4.6.
   * @since 2.4.6
   */
  readonly capabilities?: readonly ModuleCapability[]
}

/**
 * The registrations of a module, as far as its source text shows them.
 * @since 2.4.4
 */
export interface StampedContents {
  /** Names of directives; those of containers begin with `<`. */
  readonly directives: readonly string[]
  /** Names of the hooks to which it adds functions. */
  readonly hooks: readonly string[]
  /** Group and name of its providers, `authz ip`. */
  readonly providers: readonly string[]
  /** The lists that may be incomplete because the source computes names. */
  readonly more: readonly string[]
}

/**
 * The beginning of the line.
 * @since 2.4.4
 */
export const STAMP_PREFIX = '//! gatewright-module '

/** The first line of a module's file, with its line end. */
export function formatStamp(stamp: ModuleStamp): string {
  return `${STAMP_PREFIX}${JSON.stringify(stamp)}\n`
}

/**
 * Parses a stamp from the first line of a file; undefined if the line contains none or a malformed one, for
 * example one with names that a module cannot have, or with characters beyond printable ASCII.
 */
export function parseStamp(line: string): ModuleStamp | undefined {
  if (!line.startsWith(STAMP_PREFIX) || !STAMP_LINE.test(line)) return undefined
  let value: unknown
  try {
    value = JSON.parse(line.slice(STAMP_PREFIX.length))
  } catch {
    return undefined
  }
  if (!isStamp(value)) return undefined
  const { contents, capabilities, ...stamp } = value
  // Both are informative, so an error in them does not reject a module.
  return {
    ...stamp,
    ...(isContents(contents) ? { contents } : {}),
    ...(isCapabilities(capabilities) ? { capabilities } : {}),
  }
}

/**
 * All names of {@link ModuleCapability}, sorted.
 * @since 2.4.6
 */
export const MODULE_CAPABILITIES: readonly ModuleCapability[] = Object.freeze(['child-process', 'fs', 'net', 'worker'] as const)

function isCapabilities(value: unknown): value is readonly ModuleCapability[] {
  const names: readonly unknown[] = MODULE_CAPABILITIES
  return Array.isArray(value) && value.every((name) => names.includes(name))
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
 * A tool that examines a file of unknown origin prints its stamp, which must not control a terminal or end a
 * line.
 */
const PRINTABLE = /^[\x20-\x7e]*$/
/**
 * U+2028, U+2029 and a carriage return end a comment of JavaScript: what follows them in the line would be executed,
 * and the digest does not cover it. At the end, a carriage return or the line's own end does no harm.
 */
const STAMP_LINE = /^[\x20-\x7e]*\r?\n?$/
/** The same rule as in `defineModule`. */
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
