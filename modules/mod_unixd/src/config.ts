/** Per-server configuration; only the main server's has values. */
export interface UnixdConfig {
  /** A name, or `#` and a number. */
  user?: string
  group?: string
}

export function createUnixdConfig(): UnixdConfig {
  return {}
}

export function mergeUnixdConfig(base: Readonly<UnixdConfig>, over: Readonly<UnixdConfig>): UnixdConfig {
  return {
    user: over.user ?? base.user,
    group: over.group ?? base.group,
  }
}
