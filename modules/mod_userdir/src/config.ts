/** UserDir lines of one server. */
export interface UserDirConfig {
  /** Locations to search, as written; null if there are none. */
  places: readonly string[] | null
  /** `UserDir disabled` or `UserDir enabled` without names. */
  everybody: 'enabled' | 'disabled' | 'unset'
  readonly enabled: Set<string>
  readonly disabled: Set<string>
}

export function createConfig(): UserDirConfig {
  return { places: null, everybody: 'unset', enabled: new Set(), disabled: new Set() }
}

/** The lists of names are not inherited, as in httpd. */
export function mergeConfigs(base: Readonly<UserDirConfig>, over: Readonly<UserDirConfig>): UserDirConfig {
  return {
    places: over.places ?? base.places,
    everybody: over.everybody === 'unset' ? base.everybody : over.everybody,
    enabled: over.enabled,
    disabled: over.disabled,
  }
}

/** Whether the pages of a user are served. */
export function isServed({ everybody, enabled, disabled }: Readonly<UserDirConfig>, user: string): boolean {
  if (disabled.has(user)) return false
  return everybody !== 'disabled' || enabled.has(user)
}
