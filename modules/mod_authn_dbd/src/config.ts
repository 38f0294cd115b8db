/** Without a value, an outer section's counts. */
export interface AuthnDbdConfig {
  /** AuthDBDUserPWQuery. */
  passwordQuery?: string
  /** AuthDBDUserRealmQuery. */
  realmQuery?: string
}

export function mergeConfig(base: Readonly<AuthnDbdConfig>, over: Readonly<AuthnDbdConfig>): AuthnDbdConfig {
  return {
    passwordQuery: over.passwordQuery ?? base.passwordQuery,
    realmQuery: over.realmQuery ?? base.realmQuery,
  }
}
