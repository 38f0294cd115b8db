import type { Random } from '../fixtures/random.ts'

/** A request to an application. */
export interface WsgiRequest {
  readonly method: string
  readonly target: string
  readonly fields: readonly string[]
  readonly body: string
  readonly isChunked: boolean
}

/** Where the applications are, and paths that only look like it. */
const MOUNTS = [
  '/app',
  '/app',
  '/deep/er',
  '/m/environ',
  '/folder/environ.wsgi',
  '/own',
  '/caf%c3%a9',
  '/App',
  '/apple',
  '/app.',
  '/e',
]
const PIECES = [
  'a',
  'B',
  '.',
  '..',
  '',
  'c d',
  'x%20y',
  '%41',
  '%e4',
  '%c3%a9',
  '%25',
  '%3b',
  ';p=1',
  '~u',
  '%7e',
  'a+b',
  '%2e',
  '=',
  '&',
  ':',
  '@',
  "'",
  '%0a',
  '%7f',
  '\xe9',
]
const WAYS = ['', '', '', 'length', 'missing', 'moved', 'tagged', 'raise', 'status', 'written', 'file', 'lines']
const QUERIES = ['', '', '?', '?a=b', '?a=b&c=%20d', '?x', '?%e4=%00', '??', '?a+b', '?q=a/b?c', '?\xe9']
const FIELDS: readonly (readonly string[])[] = [
  ['X-A', '1'],
  ['X-A', '2'],
  ['X_A', '3'],
  ['X.A', '4'],
  ['x-lower', 'v'],
  ['Authorization', 'Basic YTpi'],
  ['Proxy', 'http://evil.example/'],
  ['Proxy-Authorization', 'Basic YTpi'],
  ['Content-Type', 'text/x; charset=a'],
  ['Cookie', 'a=b'],
  ['Cookie', 'c=d'],
  ['If-None-Match', '"t"'],
  ['If-Modified-Since', 'Tue, 01 Jan 2019 00:00:00 GMT'],
  ['Range', 'bytes=0-3'],
  ['Accept-Encoding', 'gzip'],
  ['X-Forwarded-For', '1.2.3.4'],
  ['X-Empty', ''],
  ['X-High', 'caf\xe9'],
  ['Referer', 'http://a/b'],
  ['Script-Name', '/x'],
  ['Remote-User', 'root'],
]
const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'BREW', 'PROPFIND']

/** A random request. */
export function randomRequest(random: Random): WsgiRequest {
  const way = random.pick(WAYS)
  const path = random.several(0, 3, () => `/${random.pick(PIECES).replaceAll(' ', '%20')}`).join('')
  const target = `${random.pick(MOUNTS)}${path}${way === '' ? '' : `/as-${way}`}${random.pick(QUERIES)}`
  const fields = random.several(0, 4, () => random.pick(FIELDS)).map(([name, value]) => `${name}: ${value}`)
  const method = random.pick(METHODS)
  const hasBody = random.percent(method === 'POST' || method === 'PUT' ? 90 : 10)
  const body = hasBody ? random.pick(['', 'a', 'a=b&c=d', 'line\nline\n\nrest', 'x'.repeat(9000), '\0\xff'.repeat(40_000)]) : ''
  return { method, target, fields, body, isChunked: hasBody && random.percent(25) }
}

/** The bytes of a request, after which the connection is closed. */
export function requestText({ method, target, fields, body, isChunked }: WsgiRequest, host: string): string {
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...fields]
  if (isChunked) lines.push('Transfer-Encoding: chunked')
  else if (body !== '' || method === 'POST') lines.push(`Content-Length: ${body.length}`)
  return `${lines.join('\r\n')}\r\n\r\n${isChunked ? chunked(body) : body}`
}

function chunked(body: string): string {
  let text = ''
  for (let at = 0; at < body.length; at += 5000) {
    const part = body.slice(at, at + 5000)
    text += `${part.length.toString(16)}\r\n${part}\r\n`
  }
  return `${text}0\r\n\r\n`
}
