import type { CacheUrl } from './cache-url.ts'

/** A line of CacheEnable. */
export interface EnabledUrl {
  /** The kind of storage. */
  readonly storage: string
  /** Null for the whole section. */
  readonly url: CacheUrl | null
}

/** Settings of a folder or location. Absent: as the section around it. Times are seconds. */
export interface CacheConfig {
  enabled: readonly EnabledUrl[]
  disabled: readonly CacheUrl[]
  /** Whether a section says `CacheEnable` or `CacheDisable on` for all of itself. */
  disabledHere?: boolean
  defaultExpire?: number
  minExpire?: number
  maxExpire?: number
  lastModifiedFactor?: number
  ignoresNoLastMod?: boolean
  storesExpired?: boolean
  storesNoStore?: boolean
  storesPrivate?: boolean
  cacheHeader?: boolean
  detailHeader?: boolean
  staleOnError?: boolean
}

/** Settings of a server. */
export interface CacheServerConfig {
  quickHandler?: boolean
  ignoresCacheControl?: boolean
  ignoresQueryString?: boolean
  /** In lower case. */
  ignoredHeaders?: readonly string[]
  sessionIdentifiers?: readonly string[]
  keyBase?: KeyBase
  lock?: boolean
  lockPath?: string
  /** Milliseconds. */
  lockMaxAge?: number
}

/** The parts that CacheKeyBaseURL sets. */
export interface KeyBase {
  readonly scheme: string | null
  readonly host: string | null
  readonly port: number | null
}

/** Lines of the inner section come first. */
export function mergeCacheConfig(base: Readonly<CacheConfig>, over: Readonly<CacheConfig>): CacheConfig {
  return {
    ...base,
    ...over,
    enabled: [...over.enabled, ...base.enabled],
    disabled: [...over.disabled, ...base.disabled],
    // A section in which caching is enabled again is cached.
    disabledHere: over.disabledHere ?? base.disabledHere,
  }
}

/** A virtual host has what it does not set from the main server. */
export function mergeCacheServerConfig(base: Readonly<CacheServerConfig>, over: Readonly<CacheServerConfig>): CacheServerConfig {
  return { ...base, ...over }
}
