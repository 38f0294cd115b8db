import type { Random } from '../fixtures/random.ts'

const PATHS = [
  ...[
    '/p/a.fcgi',
    '/p/a.fcgi/more',
    '/p/a.fcgi/more/%20x',
    '/p/sub/b.fcgi',
    '/p/w.wrap',
    '/p/w.wrap/x',
    '/p/none.fcgi',
    '/p/none.wrap',
  ],
  ...[
    '/p/virtual.any',
    '/p/sub',
    '/p/off/c.fcgi',
    '/p/nopath/d.fcgi/x',
    '/alias/a.fcgi',
    '/alias/none',
    '/act/page.act',
    '/p/plain.txt',
  ],
  ...['/auth/a.fcgi', '/authz/a.fcgi', '/access/a.fcgi', '/soft/a.fcgi'],
]
const HEADS = [
  'X-One: 1\r\nContent-Type: text/plain\r\n\r\n',
  'X-One: 1\nContent-type:text/html; charset=x\n\n',
  'Status: 404 Gone Away\r\nX-One: 1\r\n\r\n',
  'Status: 204\r\nX-One: 1\r\n\r\n',
  'Status: 999 odd\r\nX-One: 1\r\n\r\n',
  'Status: 7\r\nX-One: 1\r\n\r\n',
  'Status: abc\r\nX-One: 1\r\n\r\n',
  'Location: /p/plain.txt\r\nX-One: 1\r\n\r\n',
  'Location: http://other.example/x\r\nX-One: 1\r\n\r\n',
  'Status: 301 Moved\r\nLocation: /p/plain.txt\r\nX-One: 1\r\n\r\n',
  'Location: relative\r\nX-One: 1\r\n\r\n',
  'X-One: 1\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Two: a\r\nX-Two: b\r\nContent-Type: a/b\r\n\r\n',
  'X-One: 1\r\nETag: "e"\r\nLast-Modified: Mon, 02 Jan 2006 15:04:05 GMT\r\nContent-Type: text/plain\r\n\r\n',
  'X-One: 1\r\nLast-Modified: never\r\nContent-Type: text/plain\r\n\r\n',
  'X-One: 1\r\nno field\r\n\r\n',
  'no field at all',
  '',
  'X-One: 1\r\nX-Cut: y',
  'X-One: 1\r\nX-Cut: y\r\n',
  '\r\n',
  'X-One: 1\r\nServer: mine\r\nDate: now\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n',
  `X-One: 1\r\nX-Long: ${'l'.repeat(8000)}\r\nContent-Type: text/plain\r\n\r\n`,
  `X-One: 1\r\nX-Long: ${'l'.repeat(8300)}\r\nContent-Type: text/plain\r\n\r\n`,
]
const FIELDS = [
  ...[
    'Authorization: Basic dTpw',
    'Authorization: Basic eDp5',
    'Authorization: Digest x',
    'X-Passed: yes',
    'X-Other: no',
    'TE: trailers',
    'Keep-Alive: 5',
  ],
  ...[
    'If-None-Match: "e"',
    'If-Modified-Since: Mon, 02 Jan 2006 15:04:05 GMT',
    'If-Match: "other"',
    'Range: bytes=0-4',
    'Cookie: a=b',
    'Proxy: evil',
  ],
]

/** A random request to one of the programs. */
export function randomRequest(random: Random): string {
  const words: string[] = []
  const add = (name: string, value: string): void => void words.push(`${name}=${encodeURIComponent(value)}`)
  if (random.percent(60)) add('head', random.pick(HEADS))
  if (random.percent(50)) add('show', '1')
  if (random.percent(30)) add('body', String(random.pick([1, 100, 8000, 65_000, 66_000, 200_000])))
  if (random.percent(15)) add('err', random.pick(['one line', 'two\nlines\n', '\r\n\r\nthird', 'x'.repeat(9000)]))
  if (random.percent(30)) add('end', random.pick(['close', 'die', 'cut', 'early', 'request']))
  if (random.percent(30)) add('split', String(random.pick([1, 7, 100, 5000])))
  for (const role of ['AUTHENTICATOR', 'AUTHORIZER', 'ACCESS_CHECKER'])
    if (random.percent(30)) add(role, random.pick(['200', '401', '403', '500', '302']))
  const query = random.percent(10) ? random.pick(['', '?', '?a+b', '?%41&x']) : `?${words.join('&')}`
  const body = random.percent(30) ? 'b'.repeat(random.pick([0, 1, 500, 70_000, 100_001])) : null
  const method = random.pick(body === null ? ['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE'] : ['POST', 'PUT', 'GET'])
  const fields = FIELDS.filter(() => random.percent(15))
  const head = [`${method} ${random.pick(PATHS)}${query} HTTP/1.1`, 'Host: oracle.example', 'Connection: close', ...fields]
  if (body === null) return [...head, '', ''].join('\r\n')
  if (random.percent(60)) return [...head, `Content-Length: ${body.length}`, '', body].join('\r\n')
  const chunks = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`
  return [...head, 'Transfer-Encoding: chunked', '', `${chunks}0`, '', ''].join('\r\n')
}
