/**
 * A cookie in a directive such as SessionCookieName.
 * @since 2.4.6
 */
export interface CookieWords {
  /** The first word, with its quotation marks. */
  readonly name: string
  /** The rest of the line as it stands; '' for none. */
  readonly attributes: string
}

/**
 * The name of a cookie and its attributes, in directives such as SessionCookieName.
 * @since 2.4.6
 */
export function cookieWords(text: string): CookieWords {
  const end = text.search(/\s/)
  return end < 0 ? { name: text, attributes: '' } : { name: text.slice(0, end), attributes: text.slice(end).trimStart() }
}

/** What httpd writes for a cookie without attributes. */
const STANDARD_ATTRIBUTES = 'HttpOnly;Secure;Version=1'

/**
 * The text of a Set-Cookie or Set-Cookie2 field in httpd's form. Without attributes it has `HttpOnly;Secure;Version=1`.
 * @param value one byte per character, without characters that end a cookie
 * @param maxAge seconds; 0 for none
 * @since 2.4.6
 */
export function cookieField({ name, attributes }: CookieWords, value: string, maxAge: number): string {
  const age = maxAge === 0 ? '' : `Max-Age=${maxAge};`
  return `${name}=${value};${age}${attributes === '' ? STANDARD_ATTRIBUTES : attributes}`
}
