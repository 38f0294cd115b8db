/**
 * The value of a cookie in a Cookie header, as httpd logs it: the case of names is ignored, blanks around
 * name and value are trimmed, quotes are kept, and the first cookie with the name counts. A cookie without
 * `=` or with nothing after it has no value.
 * @param wanted the name in lower case
 */
export function cookieValue(header: string, wanted: string): string | undefined {
  for (let start = 0; start < header.length; ) {
    let end = header.indexOf(';', start)
    if (end < 0) end = header.length
    const equals = header.indexOf('=', start)
    if (equals >= 0 && equals + 1 < end && header.slice(start, equals).trim().toLowerCase() === wanted) {
      return header.slice(equals + 1, end).trim()
    }
    start = end + 1
  }
  return undefined
}
