/** Per-server configuration; only that of the main server is ever filled. */
export interface UnixdConfig {
  /** Name or `#` and number. */
  user?: string
  group?: string
  /** Absolute path. */
  suexec?: boolean
}

export function createUnixdConfig(): UnixdConfig {
  return {}
}

export function mergeUnixdConfig(base: Readonly<UnixdConfig>, over: Readonly<UnixdConfig>): UnixdConfig {
  return {
    user: over.user ?? base.user,
    group: over.group ?? base.group,
    suexec: over.suexec ?? base.suexec,
  }
}
