const RESPONSE_FIELDS = [
  ...[
    'Content-Type',
    'Content-Length',
    'Content-Range',
    'Keep-Alive',
    'Connection',
    'Location',
    'ETag',
    'Last-Modified',
    'Transfer-Encoding',
  ],
  ...['WWW-Authenticate', 'Vary', 'Accept-Ranges', 'X-Set', 'X-Always', 'Set-Cookie', 'Server', 'Date', 'Upgrade'],
]

/** Items of LogFormat with their modifiers. Times and process ids are left out, and bytes of heads: these count the length of the product's name. */
export const ITEMS: readonly string[] = [
  ...['%a', '%{c}a', '%A', '%b', '%B', '%{sid}C', '%{A}e', '%{none}e', '%f', '%<f', '%h', '%{c}h', '%H', '%k', '%l', '%{n}n'],
  ...['%{Host}i', '%{User-Agent}i', '%{Cookie}i', '%m', '%<m', '%p', '%{canonical}p', '%{bogus}p', '%q', '%<q', '%r', '%>r'],
  ...['%R', '%>R', '%s', '%>s', '%u', '%<u', '%U', '%>U', '%v', '%V', '%X', '%{X-Trailer}^ti', '%{X-Trailer}^to', '%{x}T'],
  ...['%404U', '%!404s', '%200,206,304{Host}i', '%!400,301>s', '%%', '%<{Location}o', '%<{X-Set}o'],
  ...RESPONSE_FIELDS.map((name) => `%{${name}}o`),
]
