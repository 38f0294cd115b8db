/** The cookie that carries a session. */
export interface SessionCookie {
  readonly name: string
  /** Attributes as written; '' for none. */
  readonly attributes: string
}

/** Configuration of one section, or of several merged ones. undefined means not set. */
export interface CookieConfig {
  /** SessionCookieName. */
  cookie?: SessionCookie
  /** SessionCookieName2. */
  cookie2?: SessionCookie
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
