import t from 'tap'
import { first, get } from './harness.ts'

t.test('a length must be digits within 63 bits, once', async (t) => {
  for (const [text, expected] of [
    ['0', 0],
    ['5', 5],
    ['0005', 5],
    ['00000000000000000000000005', 5],
    ['9223372036854775807', 2 ** 63],
    ['9223372036854775808', 400],
    ['99999999999999999999', 400],
    ['', 400],
    ['abc', 400],
    ['5x', 400],
    ['-1', 400],
    ['-0', 400],
    ['+5', 400],
    ['0x5', 400],
    ['5, 5', 400],
    ['5\r\nContent-Length: 5', 400],
    ['0\r\n 0', 400],
  ] as const) {
    const exchange = first(get('/', `Content-Length: ${text}\r\n`))
    t.equal(exchange.refusal?.status ?? exchange.contentLength, expected, JSON.stringify(text))
  }
  t.match(first(get('/x', 'Content-Length: a\r\n')).refusal?.log, {
    code: 'AH10242',
    text: 'client sent invalid Content-Length (a): /x',
  })
})

t.test('chunked must be the last transfer coding, once, after known ones', async (t) => {
  for (const [text, accepted] of [
    ['chunked', true],
    ['Chunked', true],
    ['gzip, chunked', true],
    ['gzip\r\nTransfer-Encoding: chunked', true],
    ['X-GZip, chunked', true],
    ['deflate ,\t compress, chunked', true],
    ['chunked, chunked', false],
    ['chunked\r\nTransfer-Encoding: chunked', false],
    ['chunked, gzip, chunked', false],
    ['identity, chunked', false],
    ['x-unknown, chunked', false],
    [',chunked', false],
    ['gzip,, chunked', false],
    ['identity', false],
    ['gzip', false],
    ['xchunked', false],
    ['chunked, gzip', false],
    ['chunked,', false],
    ['chunked;q=1', false],
    ['"chunked"', false],
    ['gzip chunked', false],
    ['gzip,\tchunked', false],
    ['', false],
    [',', false],
  ] as const) {
    const exchange = first(get('/', `Transfer-Encoding: ${text}\r\n`))
    t.equal(exchange.refusal === null && exchange.bodyFraming === 'chunked', accepted, JSON.stringify(text))
    if (!accepted) t.match(exchange.refusal, { status: 400, log: { code: 'AH02539' } })
  }
})

t.test('of both ways chunked counts, the length is removed, and the connection is not used again', async (t) => {
  const exchange = first(get('/', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n'))
  t.match(exchange, { bodyFraming: 'chunked', contentLength: -1, persistentRequested: false, persistencePossible: false })
  t.equal(exchange.fields.get('content-length'), undefined)
  t.equal(first(get('/', 'Transfer-Encoding: chunked\r\nContent-Length: a\r\n')).refusal?.status, 400)
})

t.test('without either there is no body, whatever the method', async (t) => {
  t.match(first('POST / HTTP/1.1\r\nHost: a\r\n\r\n'), { bodyFraming: 'none', contentLength: -1, requestEnded: true })
})

t.test('persistence follows version and Connection field; close wins', async (t) => {
  const asks = (protocol: string, connection: string) => {
    const exchange = first(`GET / ${protocol}\r\nHost: a\r\n${connection}\r\n`)
    return [exchange.persistentRequested, exchange.sentKeepAliveToken]
  }
  t.same(asks('HTTP/1.1', ''), [true, false])
  t.same(asks('HTTP/1.1', 'Connection: close\r\n'), [false, false])
  t.same(asks('HTTP/1.1', 'Connection: CLOSE\r\n'), [false, false])
  t.same(asks('HTTP/1.1', 'Connection: foo\r\nConnection: close\r\n'), [false, false])
  t.same(asks('HTTP/1.1', 'Connection: closed\r\n'), [true, false])
  t.same(asks('HTTP/1.1', 'Connection: Keep-Alive\r\n'), [true, true])
  t.same(asks('HTTP/1.0', ''), [false, false])
  t.same(asks('HTTP/1.0', 'Connection: keep-alive\r\n'), [true, true])
  t.same(asks('HTTP/1.0', 'Connection: x, keep-alive ,y\r\n'), [true, true])
  t.same(asks('HTTP/1.0', 'Connection: close, keep-alive\r\n'), [false, true])
  t.same(asks('HTTP/1.0', 'Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n'), [false, true])
})

t.test('a connection is not reused after an unknown expectation', async (t) => {
  const persists = (value: string) => first(get('/', `Expect: ${value}\r\n`)).persistentRequested
  t.ok(persists('100-Continue'))
  t.ok(persists(''))
  t.notOk(persists('x'))
  t.notOk(persists('100-continue, x'))
})

t.test('expectContinue is set for exactly that expectation', async (t) => {
  const expects = (value: string) => first(get('/', `Expect: ${value}\r\nContent-Length: 1\r\n`)).expectContinue
  t.equal(expects('100-continue'), true)
  t.equal(expects('100-Continue'), true)
  t.equal(expects('100-continue, x'), false)
  t.equal(expects(''), false)
})
