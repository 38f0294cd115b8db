import { LEVELS, type LogLevel, type LogMedium, passesThreshold } from './levels.ts'

/** The `LogLevel` settings of one scope. Immutable: each setting returns a new value. */
export interface LevelSettings {
  /** The level of every module without its own setting; undefined if the scope sets none. */
  readonly level: LogLevel | undefined
  /** Settings by module, under its short name (`authz_core`). */
  readonly modules: ReadonlyMap<string, LogLevel>
}

/** A scope without any `LogLevel`. */
export const UNSET_LEVELS: LevelSettings = { level: undefined, modules: new Map() }

/** The default without configuration: `warn`. */
export const DEFAULT_LEVELS: LevelSettings = { level: LEVELS.warn, modules: new Map() }

/** `LogLevel info`: sets the default and discards earlier module settings of the same scope. */
export function withLevel(_settings: LevelSettings, level: LogLevel): LevelSettings {
  return { level, modules: new Map() }
}

/** `LogLevel authz_core:debug`. */
export function withModuleLevel(settings: LevelSettings, module: string, level: LogLevel): LevelSettings {
  return { level: settings.level, modules: new Map(settings.modules).set(module, level) }
}

/**
 * Settings of an inner scope (a virtual host, a directory) on top of an outer one. An inner scope that sets a
 * level replaces the outer one with all its module settings; one that names modules only adds to them.
 */
export function mergeLevels(base: LevelSettings, over: LevelSettings): LevelSettings {
  if (over.level !== undefined) return over
  if (over.modules.size === 0) return base
  return { level: base.level, modules: new Map([...base.modules, ...over.modules]) }
}

/**
 * Whether the settings enable messages of a module at a level. Ignores the exception for notices: see
 * `isWritten`.
 */
export function enabled(settings: LevelSettings, module: string, level: LogLevel): boolean {
  return level <= thresholdOf(settings, module)
}

/**
 * Whether a message of a module at a level is written: it is `enabled`, or the exception for notices applies.
 */
export function isWritten(settings: LevelSettings, module: string, level: LogLevel, medium: LogMedium): boolean {
  return passesThreshold(level, thresholdOf(settings, module), medium)
}

function thresholdOf(settings: LevelSettings, module: string): LogLevel {
  const own = settings.modules.size === 0 ? undefined : settings.modules.get(module)
  return own ?? settings.level ?? LEVELS.warn
}
