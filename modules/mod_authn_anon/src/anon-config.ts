/** Without a merge function: a section with one of the directives inherits nothing of the others. */
export interface AnonConfig {
  /** Anonymous: names in lower case. Undefined when the directive is absent. */
  users?: Set<string>
  /** `Anonymous *`: every name but the empty one. */
  anyUser: boolean
  /** Anonymous_NoUserId: the empty name, too. */
  noUserId: boolean
  /** Anonymous_MustGiveEmail: the password may not be empty. */
  mustGiveEmail: boolean
  /** Anonymous_VerifyEmail: the password holds an `@` and a dot. */
  verifyEmail: boolean
  /** Anonymous_LogEmail. */
  logEmail: boolean
}

export function newAnonConfig(): AnonConfig {
  return { anyUser: false, noUserId: false, mustGiveEmail: true, verifyEmail: false, logEmail: true }
}
