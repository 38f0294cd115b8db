/** The static table (RFC 7541 appendix A): names and values in turn, from index 1 on. */
export const STATIC_TABLE: readonly string[] = [
  ...[':authority', '', ':method', 'GET', ':method', 'POST', ':path', '/', ':path', '/index.html', ':scheme', 'http'],
  ...[':scheme', 'https', ':status', '200', ':status', '204', ':status', '206', ':status', '304', ':status', '400'],
  ...[':status', '404', ':status', '500', 'accept-charset', '', 'accept-encoding', 'gzip, deflate', 'accept-language', ''],
  ...['accept-ranges', '', 'accept', '', 'access-control-allow-origin', '', 'age', '', 'allow', '', 'authorization', ''],
  ...['cache-control', '', 'content-disposition', '', 'content-encoding', '', 'content-language', '', 'content-length', ''],
  ...['content-location', '', 'content-range', '', 'content-type', '', 'cookie', '', 'date', '', 'etag', '', 'expect', ''],
  ...['expires', '', 'from', '', 'host', '', 'if-match', '', 'if-modified-since', '', 'if-none-match', '', 'if-range', ''],
  ...['if-unmodified-since', '', 'last-modified', '', 'link', '', 'location', '', 'max-forwards', '', 'proxy-authenticate', ''],
  ...['proxy-authorization', '', 'range', '', 'referer', '', 'refresh', '', 'retry-after', '', 'server', '', 'set-cookie', ''],
  ...['strict-transport-security', '', 'transfer-encoding', '', 'user-agent', '', 'vary', '', 'via', '', 'www-authenticate', ''],
]

/** Number of its entries. */
export const STATIC_ENTRIES = 61

/** The first index of each name. */
export const STATIC_NAMES: ReadonlyMap<string, number> = firstIndexes()

function firstIndexes(): Map<string, number> {
  const indexes = new Map<string, number>()
  for (let entry = 0; entry < STATIC_ENTRIES; entry++) {
    const name = STATIC_TABLE[2 * entry]
    if (!indexes.has(name)) indexes.set(name, entry + 1)
  }
  return indexes
}
