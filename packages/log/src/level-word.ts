import { type LogLevel, parseLevel } from './levels.ts'

/** One parsed argument of `LogLevel`. */
export interface LevelWord {
  /**
   * The text before the last colon, as written; undefined for a level alone. The caller checks whether the
   * module exists.
   */
  readonly module: string | undefined
  readonly level: LogLevel
}

/**
 * Parses one argument of `LogLevel`, `level` or `module:level`.
 * @returns httpd's message if it is invalid
 */
export function parseLevelWord(word: string): LevelWord | string {
  const colon = word.lastIndexOf(':')
  const module = colon === -1 ? undefined : word.slice(0, colon)
  const keyword = word.slice(colon + 1)
  if (module !== undefined && keyword === '') return `Module specifier '${module}' must be followed by a log level keyword`

  const level = parseLevel(keyword)
  if (level === undefined) return module === undefined ? UNKNOWN_KEYWORD : `${word}: ${UNKNOWN_KEYWORD}`
  return { module, level }
}

const UNKNOWN_KEYWORD = 'Log level keyword must be one of emerg/alert/crit/error/warn/notice/info/debug/trace1/.../trace8'
