import t from 'tap'
import { converse, get, type Handler, head, respond, responseHead, sleep } from './harness.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n\r\n'
const CHUNKED_HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const CLOSING_HEAD = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'
const OK = responseHead({ reason: 'OK' })

t.test('a small body is sent in one buffer with its head, a large one after it without a copy', async (t) => {
  const send = (body: Buffer | string) => converse(get('/'), {}, (exchange) => exchange.respond(OK, body, null)).transport
  t.equal(send('text').output.length, 1)
  t.equal(send(Buffer.from('bytes')).output.length, 1)
  t.equal(send(Buffer.from('bytes')).text, `${HEAD}bytes`)
  const large = Buffer.alloc(20_000, 'x')
  t.equal(send(large).output.length, 2)
  t.equal(send(large).text, HEAD + large)
})

t.test('strings are latin1', async (t) => {
  const { transport } = converse(get('/'), {}, (exchange) => exchange.respond(responseHead({ reason: '\xe9' }), '\xff', null))
  t.same(Buffer.concat(transport.output), Buffer.from('HTTP/1.1 200 \xe9\r\n\r\n\xff', 'latin1'))
})

t.test('a head alone, a body alone, and nothing at all can be sent', async (t) => {
  const send = (version: number, body: string | null) =>
    converse(get('/'), {}, (exchange) => exchange.respond({ ...OK, version }, body, null)).transport.text
  t.equal(send(1001, null), HEAD)
  t.equal(send(1001, ''), HEAD)
  t.equal(send(9, 'body'), 'body')
  t.equal(send(9, null), '')
})

t.test('a response in pieces has the requested framing, and pieces of one turn are sent together', async (t) => {
  const pieces = (end: 'stated' | 'marked'): Handler => {
    return (exchange) => {
      exchange.begin(responseHead({ reason: 'OK', end, persistent: end === 'marked' }))
      exchange.write('abc')
      exchange.write('')
      exchange.write(Buffer.from('0123456789abcdef'))
      exchange.finish('', null)
    }
  }
  const chunked = converse(get('/'), {}, pieces('marked'))
  t.equal(chunked.transport.text, '', 'the head waits for the end of the turn')
  await sleep(1)
  t.equal(chunked.transport.text, `${CHUNKED_HEAD}3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n`)
  t.notOk(chunked.transport.ended)
  const identity = converse(get('/'), {}, pieces('stated'))
  await sleep(1)
  t.equal(identity.transport.text, `${CLOSING_HEAD}abc0123456789abcdef`)
  t.ok(identity.transport.ended)
})

t.test('a head without pieces is sent at the end of the turn', async (t) => {
  const { transport } = converse(get('/'), {}, (exchange) => exchange.begin(OK))
  await sleep(1)
  t.equal(transport.text, HEAD)
})

t.test('write returns false if the client does not read, and onDrain reports when to continue', async (t) => {
  const { host, transport } = converse('', {}, (exchange) => exchange.begin(OK))
  transport.stall()
  transport.feed(get('/'))
  const exchange = host.exchanges[0]
  let drained = 0
  exchange.onDrain = () => {
    drained++
  }
  t.equal(exchange.write('x'.repeat(1000)), true)
  t.equal(exchange.write('x'.repeat(100_000)), false)
  t.equal(drained, 0)
  transport.unstall()
  await sleep(5)
  t.equal(drained, 1)
  t.equal(exchange.write('x'), true)
})

t.test('bytes sent count heads, framing and interim answers', async (t) => {
  const { host, transport, connection } = converse(get('/'), {}, (exchange) => {
    exchange.interim(103, 'Early Hints', 'Link: <a>\r\n')
    exchange.begin({ ...OK, end: 'marked' })
    exchange.write('abc')
    exchange.finish('', null)
  })
  await sleep(1)
  t.equal(host.exchanges[0].bytesSent, transport.text.length)
  t.equal(connection.bytesOut, transport.text.length)
  t.match(transport.text, /^HTTP\/1\.1 103 /)
})

t.test('interim answers are for HTTP/1.1 and come before the answer only', async (t) => {
  const early: Handler = (exchange) => {
    exchange.interim(103, 'Early Hints', '')
    respond(exchange, 200, '', false)
    exchange.interim(103, 'Late', '')
  }
  t.equal(converse('GET / HTTP/1.0\r\n\r\n', {}, early).transport.text, head(200, 0, false))
  t.notMatch(converse(get('/'), {}, early).transport.text, /Late/)
})

t.test('an exchange is answered once', async (t) => {
  const { host } = converse(get('/'))
  const exchange = host.exchanges[0]
  t.ok(exchange.answered)
  t.throws(() => respond(exchange, 200, '', true), /answered before/)
  t.throws(() => exchange.begin(OK), /answered before/)
  t.throws(() => exchange.write('x'), /without begin/)
  t.throws(() => exchange.finish('', null), /without begin/)
})

t.test('if the client disconnects, the exchange is aborted, further data is dropped, and the host is notified', async (t) => {
  const { host, transport, connection, engine } = converse(get('/'), {}, () => {})
  const exchange = host.exchanges[0]
  let aborts = 0
  exchange.whenGone(() => {
    aborts++
  })
  const forget = exchange.whenGone(() => t.fail('a listener that was removed is called'))
  forget()
  t.equal(engine.connections, 1)
  transport.destroy()
  await sleep(1)
  t.ok(exchange.aborted)
  t.equal(aborts, 1)
  exchange.whenGone(() => {
    aborts++
  })
  t.equal(aborts, 2, 'a listener that comes too late is called immediately')
  t.same(host.closed, [connection])
  t.equal(engine.connections, 0)
  respond(exchange, 200, 'x', true)
  t.equal(exchange.bytesSent, 0)
  t.ok(connection.closed)
})

t.test('an answered exchange is not aborted', async (t) => {
  const { host, transport } = converse(get('/'))
  let aborts = 0
  host.exchanges[0].whenGone(() => {
    aborts++
  })
  transport.destroy()
  await sleep(1)
  t.equal(aborts, 0)
})

t.test('a connection knows its addresses and carries data of the host', async (t) => {
  const { connection } = converse('')
  t.match(connection, { remoteAddress: '192.0.2.1', remotePort: 4711, localAddress: '127.0.0.1', localPort: 80, data: null })
  connection.data = { vhost: 1 }
  t.same(connection.data, { vhost: 1 })
})

t.test('settings are requested before every request', async (t) => {
  const { host, transport } = converse(get('/1'))
  host.current = { ...host.current, limitRequestLine: 10 }
  transport.feed(get('/2'))
  transport.feed(get('/3'))
  t.same(
    host.exchanges.map((exchange) => exchange.refusal?.status ?? 200),
    [200, 200, 414],
    'the second one was asked for before',
  )
})

t.test('the moment of the request line is kept on two clocks', async (t) => {
  const before = [Date.now(), performance.now() * 1000] as const
  const { host, transport } = converse(get('/').slice(0, 20))
  await sleep(5)
  const between = performance.now() * 1000
  transport.feed(get('/').slice(20))
  const { receivedAt, receivedAtUs } = host.exchanges[0]
  t.ok(receivedAt >= before[0] && receivedAt <= Date.now())
  t.ok(receivedAtUs >= before[1] && receivedAtUs < between)
})
