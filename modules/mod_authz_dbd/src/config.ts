/** Without a value, an outer section's counts. */
export interface AuthzDbdConfig {
  /** AuthzDBDQuery. */
  query?: string
  /** AuthzDBDRedirectQuery. */
  redirectQuery?: string
  /** AuthzDBDLoginToReferer. */
  toReferer?: boolean
}

export function mergeConfig(base: Readonly<AuthzDbdConfig>, over: Readonly<AuthzDbdConfig>): AuthzDbdConfig {
  return {
    query: over.query ?? base.query,
    redirectQuery: over.redirectQuery ?? base.redirectQuery,
    toReferer: over.toReferer ?? base.toReferer,
  }
}
