/** Configuration of one section, or of several merged ones. undefined means not set. */
export interface ForwardConfig {
  /** AuthForwardURL. */
  url?: URL
  /** AuthForwardCopy: names of fields, as written. */
  copy?: readonly string[]
  /** AuthForwardUser: the field of the answer with the user. */
  userField?: string
  /** AuthForwardTimeout in milliseconds. */
  timeout?: number
  /** AuthForwardCache in milliseconds; 0 for none. */
  cache?: number
}

/** The most that AuthForwardCache may keep an answer (ms): a user who has logged out is gone soon. */
export const LONGEST_CACHE = 60_000
/** Without AuthForwardTimeout (ms). */
export const STANDARD_TIMEOUT = 5_000
/** Without AuthForwardUser: the field of Authelia, Authentik and others. */
export const STANDARD_USER_FIELD = 'Remote-User'

export function mergeForward(base: Readonly<ForwardConfig>, over: Readonly<ForwardConfig>): ForwardConfig {
  return {
    url: over.url ?? base.url,
    // What an outer section protects stays protected in inner ones.
    copy: over.copy === undefined ? base.copy : [...(base.copy ?? []), ...over.copy],
    userField: over.userField ?? base.userField,
    timeout: over.timeout ?? base.timeout,
    cache: over.cache ?? base.cache,
  }
}
