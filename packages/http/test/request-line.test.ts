import t from 'tap'
import { converse, first, statuses } from './harness.ts'

const REST = '\r\nHost: localhost\r\nConnection: close\r\n\r\n'

/**
 * Status with HttpProtocolOptions Strict, status with Unsafe; both recorded from httpd 2.4.71. 200 means
 * "served".
 */
const ROWS: [line: string, strict: number, unsafe: number][] = [
  ['GET /f.txt HTTP/1.1', 200, 200],
  ['GET  /f.txt HTTP/1.1', 400, 200],
  ['GET /f.txt  HTTP/1.1', 400, 200],
  ['GET\t/f.txt\tHTTP/1.1', 400, 400],
  [' GET /f.txt HTTP/1.1', 400, 400],
  ['GET /f.txt HTTP/1.1 ', 400, 200],
  ['GET /f.txt HTTP/1.1 \t', 400, 400],
  ['GET /f.txt HTTP/1.1 x', 400, 400],
  ['GET /f.txt HTTP/1.1x', 400, 400],
  ['GET /f.txt HTTP/1.1\x01', 400, 400],
  ['GET /f.txt?a b HTTP/1.1', 400, 400],
  ['GET /f\rx HTTP/1.1', 400, 400],
  ['GET /f\x01.txt HTTP/1.1', 400, 400],
  ['GET /f\x7f.txt HTTP/1.1', 400, 400],
  ['GET /f\0.txt HTTP/1.1', 400, 400],
  ['\0GET /f.txt HTTP/1.1', 400, 400],
  ['GET /f.txt HTTP/1.1\0', 400, 400],
  ['GET /f\xe9.txt HTTP/1.1', 200, 200],
  ['G@T /f.txt HTTP/1.1', 400, 200],
  ['G\x01T /f.txt HTTP/1.1', 400, 400],
  ['GET/f.txt HTTP/1.1', 400, 400],
  ['/f.txt HTTP/1.1', 400, 400],
  ['get /f.txt HTTP/1.1', 200, 200],
  ['GET /f.txt http/1.1', 400, 200],
  ['GET /f.txt HtTp/1.1', 400, 200],
  ['GET /f.txt HTTP/1', 400, 400],
  ['GET /f.txt HTTP/1.10', 400, 400],
  ['GET /f.txt HTTP/11.1', 400, 400],
  ['GET /f.txt HTTP/01.1', 400, 400],
  ['GET /f.txt HTTP/a.b', 400, 400],
  ['GET /f.txt HTTP/-1.1', 400, 400],
  ['GET /f.txt FOO/1.1', 400, 400],
  ['GET /f.txt HTTPS/1.1', 400, 400],
  ['GET /f.txt HTTP/0.9', 400, 400],
  ['GET /f.txt HTTP/1.2', 200, 200],
  ['GET /f.txt HTTP/1.9', 200, 200],
  ['GET /f.txt HTTP/2.0', 200, 200],
  ['GET /f.txt HTTP/3.0', 200, 200],
  ['GET /f.txt HTTP/1.1\r', 400, 400],
  ['GET /f.txt\x0bHTTP/1.1', 400, 400],
  ['GET', 400, 400],
  ['GET ', 400, 400],
  ['\t', 400, 400],
  ['GET HTTP/1.1', 400, 400],
  ['GET f.txt HTTP/1.1', 400, 400],
  ['GET * HTTP/1.1', 400, 400],
  ['GET ? HTTP/1.1', 200, 200],
  ['GET \\ HTTP/1.1', 400, 400],
  ['GET localhost:80 HTTP/1.1', 400, 400],
  ['PRI * HTTP/2.0', 400, 400],
  ['OPTIONS * HTTP/1.1', 200, 200],
  ['OPTIONS ** HTTP/1.1', 400, 400],
  ['GET /f.txt#frag HTTP/1.1', 400, 200],
  ['\x16\x03\x01\x02\0\x01', 400, 400],
]

t.test('a request line is served or refused as httpd does it, in strict and in unsafe mode', async (t) => {
  for (const [line, strict, unsafe] of ROWS) {
    t.equal(statusOf(line, true), strict, `strict: ${JSON.stringify(line)}`)
    t.equal(statusOf(line, false), unsafe, `unsafe: ${JSON.stringify(line)}`)
  }
})

t.test('a line with bare LF is refused in strict mode only, and the log shows the line feed', async (t) => {
  const raw = 'GET /f.txt HTTP/1.1\nHost: localhost\n\n'
  const exchange = first(raw)
  t.equal(exchange.refusal?.status, 400)
  t.equal(exchange.requestLine, 'GET /f.txt HTTP/1.1\n')
  t.match(exchange.refusal?.log, { code: 'AH00566', module: 'core', level: 'debug' })
  t.equal(first(raw, { strict: false }).refusal, null)
})

t.test('what could be read of a refused line is kept for the access log, with single blanks', async (t) => {
  const shown = (line: string) => {
    const { requestLine, method, target, protocol } = first(line + REST)
    return [requestLine, method, target, protocol]
  }
  t.same(shown(' GET\t/f.txt  HTTP/1.1 '), ['GET /f.txt HTTP/1.1', 'GET', '/f.txt', 'HTTP/1.1'])
  t.same(shown('GET /f.txt?a b HTTP/1.1'), ['GET /f.txt?a b', 'GET', '/f.txt?a', 'HTTP/1.0'])
  t.same(shown('GET'), ['GET', 'GET', '', 'HTTP/1.0'])
  t.same(shown('G@T'), ['G@T', 'G@T', '', 'HTTP/1.0'])
  t.same(shown('GET /f.txt\0 HTTP/1.1'), ['GET /f.txt', '', '', 'HTTP/1.0'])
  t.same(shown('GET /f.txt http/1.1'), ['GET /f.txt http/1.1', 'GET', '/f.txt', 'http/1.1'])
})

t.test('each fault of a line has its own AH code', async (t) => {
  const code = (line: string, strict = true) => first(line + REST, { strict }).refusal?.log?.code
  t.equal(code('G@T / HTTP/1.1'), 'AH03445')
  t.equal(code('POST /f.txt'), 'AH03444')
  t.equal(code('GET'), 'AH03454')
  t.equal(code('GET\t/ HTTP/1.1'), 'AH03447')
  t.equal(code('GET  / HTTP/1.1'), 'AH03448')
  t.equal(code('GET / HTTP/1.1 x', false), 'AH03449')
  t.equal(code('GET / FOO'), 'AH02418')
  t.equal(code('GET x HTTP/1.1'), 'AH03450')
  t.equal(code('GET /#x HTTP/1.1'), 'AH02421')
  t.equal(code('GET http://u:p@x/ HTTP/1.1'), 'AH02422')
})

t.test('the version counts as a number, and a later one than 1.1 as such', async (t) => {
  const version = (protocol: string) => first(`GET / ${protocol}\r\nHost: a\r\n\r\n`).version
  t.equal(version('HTTP/1.0'), 1000)
  t.equal(version('HTTP/1.1'), 1001)
  t.equal(version('HTTP/1.2'), 1002)
  t.equal(version('HTTP/3.0'), 3000)
  t.equal(version('HTTP/9.9'), 9009)
})

t.test('a request without a version is one of HTTP/0.9: no fields, and the connection closes', async (t) => {
  const { host, transport } = converse('GET /f.txt\r\nGET / HTTP/1.1\r\n\r\n')
  t.equal(host.exchanges.length, 1)
  t.match(host.exchanges[0], { version: 9, protocol: 'HTTP/0.9', refusal: null, persistentRequested: false })
  t.equal(transport.text, 'GET /f.txt')
  t.ok(transport.ended)
})

t.test('HTTP/0.9 knows GET only, unless the mode is unsafe, and may be switched off', async (t) => {
  t.equal(first('POST /f.txt\r\n').refusal?.status, 400)
  t.equal(first('HEAD /f.txt\r\n').version, 1000, 'a refused one is answered with a head')
  t.equal(first('POST /f.txt\r\n', { strict: false }).refusal, null)
  t.match(first('GET /f.txt\r\n', { allowHttp09: false }).refusal, { status: 400, log: { code: 'AH02401' } })
})

t.test('ten empty lines before a request are skipped, the eleventh is treated as a request line', async (t) => {
  const served = converse(`${'\r\n'.repeat(10)}GET / HTTP/1.0\r\n\r\n`)
  t.same(statuses(served.transport.text), [200])
  const refused = converse('\r\n'.repeat(11))
  t.same(statuses(refused.transport.text), [400])
  t.equal(refused.host.exchanges[0].requestLine, '')
  t.equal(first('\nGET / HTTP/1.0\r\n\r\n').refusal?.status, 400, 'a bare LF is no empty line in strict mode')
  t.equal(first('\nGET / HTTP/1.0\r\n\r\n', { strict: false }).refusal, null)
})

t.test('a line may be one byte longer than LimitRequestLine; more is 414, as soon as it is certain', async (t) => {
  const settings = { limitRequestLine: 20 }
  t.equal(first('GET /aaaaaaa HTTP/1.0\r\n\r\n', settings).refusal, null)
  const exchange = first('GET /aaaaaaaa HTTP/1.0', settings)
  t.equal(exchange.refusal?.status, 414)
  t.equal(exchange.requestLine, 'GET /aaaaaaaa HTTP/1.', 'the log shows what fits')
  t.match(exchange.refusal?.log, { level: 'info', code: 'AH00565', text: /longer than 20/ })
})

function statusOf(line: string, strict: boolean): number {
  const exchange = first(line + REST, { strict })
  return exchange.refusal === null ? 200 : exchange.refusal.status
}
