/**
 * Value of a cookie in a Cookie header, as httpd's log finds it: names without regard to case, blanks around name and value trimmed, quotes kept, the first
 * one of the name wins. A cookie without `=`, or without anything behind it, has no value.
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
