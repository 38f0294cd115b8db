/** How the cookie is written: the value of CookieStyle. */
export type CookieStyle = 'netscape' | 'cookie' | 'cookie2'

export interface UsertrackConfig {
  enabled?: boolean
  style?: CookieStyle
  name?: CookieName
  domain?: string
  /** The attribute, such as `SameSite=Lax`. */
  sameSite?: string
  secure?: boolean
  httpOnly?: boolean
}

/** The name of the cookie, and how its value is found in a Cookie field. */
export interface CookieName {
  readonly text: string
  /** The value is in the first or second group. */
  readonly finder: RegExp
}

export const DEFAULT_NAME: CookieName = cookieName('Apache')

export function createUsertrackConfig(): UsertrackConfig {
  return {}
}

/** As in httpd, a section with a line of the module has none of those around it. */
export function mergeUsertrackConfig(_base: Readonly<UsertrackConfig>, over: Readonly<UsertrackConfig>): UsertrackConfig {
  return over
}

/** A value ends at a comma or semicolon, and may be neither quoted nor empty, as in httpd. */
export function cookieName(text: string): CookieName {
  const name = text.replace(/[^\w\s]/g, '\\$&')
  return { text, finder: new RegExp(`^${name}=([^;,]+)|[;,][ \\t]*${name}=([^;,]+)`) }
}

export interface UsertrackServer {
  /** In seconds. */
  lifetime?: number
}
