import type { Refusal } from '@gatewright/http'
import t from 'tap'
import type { Http1Exchange } from '../src/http1/exchange.ts'
import { converse, first, get, type Handler, head, respond, responseHead, sleep, statuses } from './harness.ts'

const POST = 'POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n'
const EXPECT = 'POST /p HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n'
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

/** Records events, and pauses after every chunk on request. */
class Listener {
  readonly chunks: string[] = []
  ended = false
  error: Refusal | null = null
  pausing = false

  onData(chunk: Buffer): 'pause' | undefined {
    this.chunks.push(chunk.toString('latin1'))
    return this.pausing ? 'pause' : undefined
  }

  onEnd(): void {
    this.ended = true
  }

  onError(refusal: Refusal): void {
    this.error = refusal
  }
}

const keep: Handler = () => {}

t.test('a body is passed on as it arrives, then its end', async (t) => {
  const { host, transport } = converse(`${POST}012`, {}, keep)
  const listener = new Listener()
  host.exchanges[0].readBody(listener)
  transport.feed('3456')
  transport.feed('789')
  t.same(listener.chunks, ['012', '3456', '789'])
  t.ok(listener.ended)
  t.ok(host.exchanges[0].requestEnded)
})

t.test('without a body the end is reported at once', async (t) => {
  for (const raw of [get('/'), get('/', 'Content-Length: 0\r\n')]) {
    const { host } = converse(raw, {}, keep)
    const listener = new Listener()
    host.exchanges[0].readBody(listener)
    t.same(listener.chunks, [])
    t.ok(listener.ended)
  }
})

t.test('a paused body stops reading from the client until it is resumed', async (t) => {
  const { host, transport } = converse(`${POST}012`, {}, keep)
  const listener = new Listener()
  listener.pausing = true
  const exchange = host.exchanges[0]
  exchange.readBody(listener)
  transport.feed('34')
  transport.feed('56789')
  t.same(listener.chunks, ['012'])
  exchange.resumeBody()
  t.same(listener.chunks, ['012', '34'], 'one chunk for each resume')
  exchange.resumeBody()
  t.same(listener.chunks, ['012', '34', '56789'])
  t.notOk(listener.ended, 'the end waits for a resume as well')
  exchange.resumeBody()
  t.ok(listener.ended)
})

t.test('a body without a reader is not buffered without limit', async (t) => {
  const { host, transport, connection } = converse(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n`, {}, keep)
  for (let i = 0; i < 10; i++) transport.feed(Buffer.alloc(100_000))
  t.equal(connection.input.length, 100_000)
  const listener = new Listener()
  host.exchanges[0].readBody(listener)
  t.equal(listener.chunks.join('').length, 1_000_000)
  t.ok(listener.ended)
})

t.test('discardBody is done at once when there is no body or all of it has come', async (t) => {
  for (const raw of [
    get('/'),
    `${POST}0123456789`,
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ]) {
    const { host } = converse(raw, {}, keep)
    let done = false
    host.exchanges[0].discardBody(0, (refusal) => {
      done = refusal === null
    })
    t.ok(done, JSON.stringify(raw))
  }
})

t.test('discardBody refuses what is longer than its limit: by the length before a byte is read, else on the way', async (t) => {
  const refuse = (raw: string, limit: number) => {
    const { host, transport } = converse(raw, {}, keep)
    let outcome: Refusal | null | undefined
    host.exchanges[0].discardBody(limit, (refusal) => {
      outcome = refusal
    })
    return { outcome, text: transport.text }
  }
  t.equal(refuse(`${POST}0123456789`, 10).outcome, null)
  t.match(refuse(POST, 9).outcome, {
    status: 413,
    log: {
      module: 'http',
      level: 'info',
      code: 'AH01588',
      text: 'Requested content-length of 10 is larger than the configured limit of 9',
    },
  })
  t.equal(refuse(EXPECT, 2).text, '', 'nobody is asked to send a body that is refused')
  const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n6\r\n012345\r\n'
  t.equal(refuse(chunked, 11).outcome, undefined)
  t.match(refuse(chunked, 10).outcome, {
    status: 413,
    log: { code: 'AH01591', text: 'Read content length of 11 is larger than the configured limit of 10' },
  })
})

t.test('the first read sends 100 (Continue) once, even when the body has come already', async (t) => {
  t.equal(converse([EXPECT, 'abc']).transport.text, `${CONTINUE}${head(200, 7, true)}POST /p`)
  t.equal(converse(`${EXPECT}abc`).transport.text, `${CONTINUE}${head(200, 7, true)}POST /p`)
})

t.test('100 (Continue) is not sent for HTTP/1.0, without a body, after a response, or without a reader', async (t) => {
  const old = converse(`${EXPECT.replace('1.1', '1.0')}abc`)
  t.notMatch(old.transport.text, /100/)
  t.notMatch(converse(get('/', 'Expect: 100-continue\r\n')).transport.text, /100/)
  const answered = converse(EXPECT, {}, (exchange) => respond(exchange, 403, '', false))
  t.same(statuses(answered.transport.text), [403])
  const late = converse(EXPECT, {}, (exchange) => {
    exchange.begin(responseHead())
    exchange.discardBody(0, () => {})
  })
  await sleep(1)
  t.equal(late.transport.text, 'HTTP/1.1 200 Text\r\nConnection: close\r\n\r\n')
})

t.test('an answer before the awaited 100 (Continue) ends the connection: the body may come or not', async (t) => {
  const { host, transport } = converse(EXPECT, {}, (exchange) => {
    t.notOk(exchange.persistencePossible)
    respond(exchange, 404, '', true)
  })
  t.ok(transport.ended)
  transport.feed(`abc${get('/next')}`)
  t.equal(host.exchanges.length, 1)
})

t.test('what the host leaves of a body is dropped before the next request', async (t) => {
  const quick: Handler = (exchange) => respond(exchange, 200, exchange.target, exchange.persistencePossible)
  const { host, transport } = converse([`${POST}01234`, `56789${get('/next', 'Connection: close\r\n')}`], {}, quick)
  t.same(
    host.exchanges.map((exchange) => exchange.target),
    ['/p', '/next'],
  )
  t.same(statuses(transport.text), [200, 200])
})

t.test('the rest is dropped, too, of a body that was read in part', async (t) => {
  const { host, transport } = converse(`${POST}012`, {}, (exchange) => {
    if (exchange.target === '/p') exchange.readBody({ onData: () => 'pause', onEnd() {}, onError() {} })
    respond(exchange, 200, '', exchange.persistencePossible)
  })
  transport.feed(`3456789${get('/next')}`)
  t.same(
    host.exchanges.map((exchange) => exchange.target),
    ['/p', '/next'],
  )
})

t.test('an invalid chunk ends the connection, and nothing in it is treated as a request', async (t) => {
  const quick: Handler = (exchange) => respond(exchange, 200, '', exchange.persistencePossible)
  const raw = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'
  const { host, transport } = converse(raw, {}, quick)
  t.equal(host.exchanges.length, 1)
  t.ok(transport.ended)
})

t.test('a client that closes in the middle of a body gets a 400', async (t) => {
  for (const raw of [`${POST}012`, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12']) {
    const { transport } = converse(raw)
    transport.feedEnd()
    t.same(statuses(transport.text), [400])
    t.ok(transport.ended)
  }
  const trailers = converse('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n', {}, keep)
  const listener = new Listener()
  trailers.host.exchanges[0].readBody(listener)
  trailers.transport.feedEnd()
  t.match(listener.error, { status: 400, log: { next: { code: 'AH02656', module: 'http' } } })
})

t.test('a body is read once, and not at all of a refused request', async (t) => {
  const exchange: Http1Exchange = first(`${POST}012`, {})
  t.throws(() => exchange.readBody(new Listener()), /read before/)
  const refused = converse('POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc', {}, keep).host.exchanges[0]
  const listener = new Listener()
  refused.readBody(listener)
  t.same(listener.chunks, [])
  t.ok(listener.ended)
})

t.test('bytes received count head, framing and body', async (t) => {
  const raw = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'
  t.equal(first(raw).bytesReceived, raw.length)
  t.equal(first(`${POST}0123456789GET`).bytesReceived, POST.length + 10)
  // Counted as in httpd: to the end of the line with the fault, which is the next one for most faults of a
  // field.
  for (const [head, count] of [
    ['BAD\r\nHost: x\r\n\r\n', 5],
    ['\r\nBAD\r\n\r\n', 7],
    ['BAD\n\n', 4],
    ['GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n', 17],
    ['GET / HTTP/1.1\r\nHost: x\r\nA\x01: b\r\nC: d\r\n\r\n', 38],
    ['GET / HTTP/1.1\r\nHost: x\r\nnocolon\r\n\r\n', 36],
    ['GET / HTTP/1.1\r\nHost: a b\r\nX: y\r\n\r\n', 35],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(9000)}\r\nZ: 1\r\n\r\n`, 9030],
    [`GET /${'y'.repeat(9000)} HTTP/1.1\r\nZ: 1\r\n\r\n`, 9016],
  ] as const)
    t.equal(first(head).bytesReceived, count, JSON.stringify(head.slice(0, 60)))
})
