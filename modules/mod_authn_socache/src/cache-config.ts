/** AuthnCacheTimeout where it is not said: five minutes, in milliseconds. */
export const DEFAULT_TIMEOUT = 300_000

/** What one section says, or several merged ones. */
export interface CacheConfig {
  /** AuthnCacheProvideFor: providers whose finds are kept. Undefined is unset. */
  providers?: string[]
  /** AuthnCacheTimeout in milliseconds. What is not above 0 keeps nothing. */
  timeout: number
  /** AuthnCacheContext. Undefined is unset, which means `directory`. */
  context?: string
}

export function newCacheConfig(): CacheConfig {
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

/** What the main server says. */
export interface CacheServerConfig {
  /** AuthnCacheEnable: .htaccess files may use the cache although no section of the server files does. */
  enabled: boolean
  /** Bytes that AuthnCacheSOCache allows. Undefined is unset. */
  size?: number
}
