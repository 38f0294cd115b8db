/** Without a merge function: a section with one of the directives inherits none of the others. */
export interface AnonConfig {
  /** Anonymous: names in lower case; undefined without the directive. */
  users?: Set<string>
  /** `Anonymous *`: every name except the empty one. */
  anyUser: boolean
  /** Anonymous_NoUserId: also the empty name. */
  noUserId: boolean
  /** Anonymous_MustGiveEmail: the password may not be empty. */
  mustGiveEmail: boolean
  /** Anonymous_VerifyEmail: the password must contain an `@` and a dot. */
  verifyEmail: boolean
  /** Anonymous_LogEmail. */
  logEmail: boolean
}

export function createAnonConfig(): AnonConfig {
  return { anyUser: false, noUserId: false, mustGiveEmail: true, verifyEmail: false, logEmail: true }
}
