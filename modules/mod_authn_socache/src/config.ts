import type { SharedStore } from '@gatewright/api'

/** Default of AuthnCacheTimeout: five minutes, in milliseconds. */
export const DEFAULT_TIMEOUT = 300_000

/** Configuration of one section, or of several merged ones. */
export interface CacheConfig {
  /** AuthnCacheProvideFor: providers whose results are cached; undefined means not set. */
  providers?: string[]
  /** AuthnCacheTimeout in milliseconds; 0 and below disable the cache. */
  timeout: number
  /** AuthnCacheContext; undefined means not set, for which the default is `directory`. */
  context?: string
}

export function createCacheConfig(): CacheConfig {
  return { timeout: DEFAULT_TIMEOUT }
}

/** As in httpd, a timeout that equals the default counts as unset. */
export function mergeCacheConfig(base: Readonly<CacheConfig>, over: Readonly<CacheConfig>): CacheConfig {
  return {
    providers: over.providers ?? base.providers,
    timeout: over.timeout === DEFAULT_TIMEOUT ? base.timeout : over.timeout,
    context: over.context ?? base.context,
  }
}

/** Configuration of the main server. */
export interface CacheServerConfig {
  /**
   * AuthnCacheEnable: .htaccess files may use the cache even if no section of the server's configuration
   * does.
   */
  enabled: boolean
  /** Opens the cache of AuthnCacheSOCache for a purpose; undefined means not set. */
  open?: (name: string) => SharedStore
}
