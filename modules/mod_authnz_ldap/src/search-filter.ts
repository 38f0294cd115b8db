/** Bytes in which httpd makes a filter, with two for the ends of texts. */
const BUFFER = 8192

/** Whether a filter is longer than 8190 bytes, and so refused, as in httpd. */
export function isTooLong(filter: string): boolean {
  return filter.length > BUFFER - 2
}

/** The message about a filter that is too long. */
export function tooLong(phase: 'authenticate' | 'authorize', filter: string): string {
  return `auth_ldap ${phase}: ldap filter too long (>${BUFFER}): ${filter.slice(0, BUFFER - 1)}`
}

/**
 * The filter that finds a user: the one of the configuration, and the attribute with the name.
 * @param filter without its outer parentheses; `none` leaves only the name
 */
export function userFilter(filter: string, attribute: string, user: string): string {
  const name = `(${attribute}=${user.replace(/[*()\\]/g, '\\$&')})`
  return filter.toLowerCase() === 'none' ? name : `(&(${filter})${name})`
}
