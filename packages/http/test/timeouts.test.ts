import t from 'tap'
import { converse, get, type Handler, respond, responseHead, sleep, statuses, until } from './harness.ts'

/** Short ones; the engine's tick adds up to 200 ms. */
const SHORT = { timeout: 150, keepAliveTimeout: 100 }
const keep: Handler = () => {}

t.test('a new connection that sends nothing is closed silently', async (t) => {
  const { host, transport } = converse('', SHORT)
  t.ok(await until(() => transport.closed))
  t.equal(transport.text, '')
  t.equal(host.exchanges.length, 0)
})

t.test('a kept connection that sends nothing more is closed silently, after KeepAliveTimeout', async (t) => {
  const { host, transport } = converse(get('/'), { ...SHORT, timeout: 60_000 })
  t.notOk(transport.closed)
  t.ok(await until(() => transport.closed))
  t.same(statuses(transport.text), [200])
  t.equal(host.exchanges.length, 1)
})

t.test('a client that sends its next request just when KeepAliveTimeout is over meets no reset', async (t) => {
  for (const begun of ['', 'GET /next']) {
    const limits = { lingerSilence: 100, lingerTotal: 1000, lingerMax: 1 }
    const { host, transport } = converse(get('/') + begun, SHORT, undefined, limits)
    t.ok(await until(() => transport.ended))
    t.notOk(transport.closed, 'reading goes on')
    transport.feed(get('/late'))
    t.ok(await until(() => transport.closed))
    t.equal(host.exchanges.length, 1)
  }
})

t.test('a head that stops after the request line is answered 408', async (t) => {
  const { host, transport } = converse('GET /x HTTP/1.1\r\nUser-Agent: slow\r\nHost: a\r\nAcc', SHORT)
  t.ok(await until(() => transport.ended))
  t.same(statuses(transport.text), [408])
  const exchange = host.exchanges[0]
  t.equal(exchange?.requestLine, 'GET /x HTTP/1.1')
  t.equal(exchange?.fields.get('user-agent'), 'slow')
  t.match(exchange?.refusal, { status: 408, note: '', log: { code: 'AH00567' }, silent: false })
})

t.test('a first request line that stops is passed to the host for its log, and nothing is sent', async (t) => {
  for (const raw of ['GET /x', '\r\n']) {
    const { host, transport } = converse(raw, SHORT)
    t.ok(await until(() => transport.closed))
    t.equal(transport.text, '', 'the host did answer')
    t.match(host.exchanges[0], { requestLine: '', method: '', bytesSent: 0, refusal: { status: 408, silent: true } })
  }
})

t.test('a later request line that stops is not even logged', async (t) => {
  const { host, transport } = converse([get('/'), 'GET'], SHORT)
  t.ok(await until(() => transport.closed))
  t.equal(host.exchanges.length, 1)
})

t.test('progress puts the timeout off', async (t) => {
  const { host, transport } = converse('', { timeout: 400, keepAliveTimeout: 60_000 })
  for (const byte of get('/')) {
    transport.feed(byte)
    await sleep(25)
  }
  t.equal(host.exchanges[0]?.refusal, null)
  t.same(statuses(transport.text), [200])
})

t.test('a stalled body is rejected with 408, one without a reader is not', async (t) => {
  const raw = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12'
  const { transport } = converse(raw, SHORT)
  t.ok(await until(() => transport.ended))
  t.same(statuses(transport.text), [408])
  const unread = converse(raw, SHORT, keep)
  await sleep(500)
  t.notOk(unread.transport.closed, 'the host may take its time')
})

t.test('a slow head is rejected at its time limit, and the host is notified', async (t) => {
  const { host, transport } = converse('GET / HTTP/1.1\r\n', { headLimit: { initial: 300, longest: 0, rate: 0 } })
  const timer = setInterval(() => transport.feed('X'), 50)
  t.ok(await until(() => transport.ended))
  clearInterval(timer)
  t.same(statuses(transport.text), [408])
  t.same(host.slow, ['header'])
})

t.test('a body that keeps coming is refused when its limit is over', async (t) => {
  const raw = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n'
  const { host, transport } = converse(raw, { bodyLimit: { initial: 100, longest: 0, rate: 0 } })
  t.ok(await until(() => transport.ended))
  t.same(statuses(transport.text), [408])
  t.same(host.slow, ['body'])
})

t.test('neither an idle connection nor a busy host is measured by the limits of reading', async (t) => {
  const limit = { initial: 50, longest: 0, rate: 0 }
  const limits = { headLimit: limit, bodyLimit: limit, keepAliveTimeout: 60_000 }
  const idle = converse(get('/'), limits)
  const busy = converse('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12', limits, keep)
  const done = converse('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345', limits)
  const slow = converse('GET', limits)
  t.ok(await until(() => slow.transport.closed), 'by now the limits of the others are over')
  for (const { host, transport } of [idle, busy, done]) {
    t.notOk(transport.closed)
    t.same(host.slow, [])
  }
})

t.test('a slow host is not interrupted', async (t) => {
  const { host, transport } = converse(get('/'), SHORT, keep)
  await sleep(500)
  t.notOk(host.exchanges[0].aborted)
  t.notOk(transport.closed)
})

t.test('a client that does not read its answer is cut off after Timeout without progress', async (t) => {
  for (const persistent of [true, false]) {
    const { host, transport } = converse('', { timeout: 150, keepAliveTimeout: 60_000 }, (exchange) =>
      exchange.respond(responseHead({ persistent }), Buffer.alloc(100_000), null),
    )
    transport.stall()
    transport.feed(get('/'))
    t.notOk(transport.closed)
    t.ok(await until(() => transport.closed))
    t.same(host.closed.length <= 1, true)
  }
})

t.test('a lingering connection is closed after its silence, and in the end in any event', async (t) => {
  const limits = { lingerSilence: 100, lingerTotal: 500, lingerMax: 10 }
  const silent = converse('BAD\r\n', SHORT, undefined, limits)
  t.ok(silent.transport.ended)
  t.notOk(silent.transport.closed)
  t.equal(silent.engine.lingering, 1)
  t.ok(await until(() => silent.transport.closed))
  await sleep(1)
  t.equal(silent.engine.lingering, 0)

  const chatty = converse('BAD\r\n', SHORT, undefined, { ...limits, lingerSilence: 300 })
  const begin = performance.now()
  t.ok(
    await until(() => {
      chatty.transport.feed('more')
      return chatty.transport.closed
    }),
  )
  t.ok(performance.now() - begin > 400)
})

t.test('an answer that is still being sent is not cut off by the time for lingering', async (t) => {
  const limits = { lingerSilence: 50, lingerTotal: 200, lingerMax: 10 }
  const { engine, transport } = converse('', {}, (exchange) => respond(exchange, 400, 'x'.repeat(1000), false), limits)
  transport.stall()
  transport.feed('BAD\r\n')
  const begin = engine.now
  t.ok(await until(() => engine.now > begin + 1000))
  transport.unstall()
  t.match(transport.text, /x{1000}$/)
  t.ok(await until(() => transport.closed))
  t.equal(engine.lingering, 0)
})

t.test('the number of lingering connections is limited', async (t) => {
  const none = converse('BAD\r\n', {}, undefined, { lingerSilence: 1000, lingerTotal: 1000, lingerMax: 0 })
  await sleep(1)
  t.ok(none.transport.closed)
  t.same(statuses(none.transport.text), [400])
})

t.test('a blocked loop does not time out a client whose bytes are waiting', async (t) => {
  const { host, transport } = converse('GET / HT', { timeout: 300, keepAliveTimeout: 60_000 })
  for (const end = performance.now() + 900; performance.now() < end; );
  await sleep(0)
  transport.feed('TP/1.1\r\nHost: a\r\n\r\n')
  t.match(host.exchanges[0], { refusal: null, method: 'GET' })
})
