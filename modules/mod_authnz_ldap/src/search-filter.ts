/** Longer filters are refused, in bytes: as in httpd. */
export const LONGEST_FILTER = 8192

/**
 * The filter that finds a user: the one of the configuration, and the attribute with the name.
 * @param filter without its outer parentheses; `none` leaves only the name
 */
export function userFilter(filter: string, attribute: string, user: string): string {
  const name = `(${attribute}=${user.replace(/[*()\\]/g, '\\$&')})`
  return filter.toLowerCase() === 'none' ? name : `(&(${filter})${name})`
}
