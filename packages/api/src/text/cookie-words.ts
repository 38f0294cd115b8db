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
