/** Per-directory configuration. */
export interface DavConfig {
  /** The repository; null for none. */
  provider?: 'filesystem' | null
  /** Seconds. */
  minTimeout?: number
  depthInfinity?: boolean
  lockDiscovery?: boolean
  basePath?: string
}

export function mergeDavConfig(base: Readonly<DavConfig>, over: Readonly<DavConfig>): DavConfig {
  return {
    // As in httpd, `Dav Off` does not switch off what an outer section has switched on.
    provider: over.provider ?? base.provider,
    minTimeout: over.minTimeout ?? base.minTimeout,
    depthInfinity: over.depthInfinity ?? base.depthInfinity,
    lockDiscovery: over.lockDiscovery ?? base.lockDiscovery,
    basePath: over.basePath ?? base.basePath,
  }
}
