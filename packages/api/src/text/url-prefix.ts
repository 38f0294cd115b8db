const SLASH = 0x2f

/**
 * Compares a URL path with the prefix of an Alias or Redirect. Whole segments must match; any number of
 * slashes in the prefix matches any number in the path. A prefix that ends in a slash matches only paths
 * below it.
 * @returns number of characters of the path that match, 0 if the prefix does not match
 * @since 2.4.6
 */
export function matchUrlPrefix(path: string, prefix: string): number {
  let at = 0
  let i = 0
  while (i < prefix.length) {
    const code = prefix.charCodeAt(i)
    if (path.charCodeAt(at) !== code) return 0
    if (code === SLASH) {
      while (prefix.charCodeAt(i) === SLASH) i++
      while (path.charCodeAt(at) === SLASH) at++
    } else {
      i++
      at++
    }
  }
  const wholeSegment = at === path.length || path.charCodeAt(at) === SLASH || prefix.charCodeAt(prefix.length - 1) === SLASH
  return wholeSegment ? at : 0
}
