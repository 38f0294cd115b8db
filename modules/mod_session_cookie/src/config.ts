import type { CookieWords } from '@gatewright/api/text'

/** Configuration of one section, or of several merged ones. undefined means not set. */
export interface CookieConfig {
  /** SessionCookieName. */
  cookie?: CookieWords
  /** SessionCookieName2. */
  cookie2?: CookieWords
  /** SessionCookieRemove. */
  remove?: boolean
}

export function mergeCookieConfig(base: Readonly<CookieConfig>, over: Readonly<CookieConfig>): CookieConfig {
  return {
    cookie: over.cookie ?? base.cookie,
    cookie2: over.cookie2 ?? base.cookie2,
    remove: over.remove ?? base.remove,
  }
}
