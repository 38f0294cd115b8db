import t from 'tap'
import type { Http1Exchange } from '../src/http1/exchange.ts'
import { answerPlainly, converse, get, type Handler, head, respond, sleep, statuses, until } from './harness.ts'

t.test('pipelined requests are answered in order and leave in one write', async (t) => {
  const { transport, host } = converse(get('/1') + get('/2') + get('/3', 'Connection: close\r\n'))
  t.same(
    host.exchanges.map((exchange) => exchange.target),
    ['/1', '/2', '/3'],
  )
  t.equal(transport.text, `${head(200, 6, true)}GET /1${head(200, 6, true)}GET /2${head(200, 6, false)}GET /3`)
  t.same(
    host.exchanges.map((exchange) => exchange.connection.requestCount),
    [3, 3, 3],
  )
})

t.test('writes are corked while more requests are in the buffer, and not for a single one', async (t) => {
  const corks: string[] = []
  const { transport } = converse('')
  const { cork, uncork } = transport
  transport.cork = () => {
    corks.push('cork')
    cork.call(transport)
  }
  transport.uncork = () => {
    corks.push('uncork')
    uncork.call(transport)
  }
  transport.feed(get('/1'))
  t.same(corks, [])
  transport.feed(get('/2') + get('/3'))
  t.same(corks, ['cork', 'uncork'])
})

t.test('the next request waits for the answer to the one before, and what was answered is not held back', async (t) => {
  const waiting: Http1Exchange[] = []
  const handler: Handler = (exchange) => {
    if (exchange.target === '/slow') waiting.push(exchange)
    else answerPlainly(exchange)
  }
  const { host, transport } = converse(get('/1') + get('/slow') + get('/3'), {}, handler)
  t.same(
    host.exchanges.map((exchange) => exchange.target),
    ['/1', '/slow'],
  )
  t.same(statuses(transport.text), [200])
  respond(waiting[0], 200, 'late', true)
  t.same(
    host.exchanges.map((exchange) => exchange.target),
    ['/1', '/slow', '/3'],
  )
  t.same(statuses(transport.text), [200, 200, 200])
})

t.test('while an answer is awaited no more than one arrival is buffered', async (t) => {
  const { transport, connection } = converse(get('/slow'), {}, () => {})
  for (let i = 0; i < 5; i++) transport.feed(get(`/${i}`))
  t.equal(connection.input.length, get('/0').length)
})

t.test('a rejected request ends the pipeline, an error without a close does not', async (t) => {
  const missing: Handler = (exchange) =>
    exchange.refusal === null ? respond(exchange, 404, '', true) : respond(exchange, exchange.refusal.status, '', false)
  const { transport, host } = converse(`${get('/1')}${get('/2')}BAD\r\n\r\n${get('/4')}`, {}, missing)
  t.same(statuses(transport.text), [404, 404, 400])
  t.equal(host.exchanges.length, 3)
  t.ok(transport.ended)
})

t.test('after 64 requests from one read others have their turn', async (t) => {
  const { host } = converse(get('/').repeat(150))
  t.equal(host.exchanges.length, 64)
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(host.exchanges.length, 128)
  t.ok(await until(() => host.exchanges.length === 150))
})

t.test('no request is begun while the client does not read its answers', async (t) => {
  const large = 'x'.repeat(100_000)
  const handler: Handler = (exchange) => respond(exchange, 200, large, true)
  const { host, transport } = converse('', {}, handler)
  transport.stall()
  transport.feed(get('/').repeat(20))
  t.equal(host.exchanges.length, 3, 'two answers are below the mark, the third one is not')
  transport.unstall()
  t.ok(await until(() => host.exchanges.length >= 6))
  t.ok(await until(() => host.exchanges.length === 20))
})

t.test('a half-closed client gets the answers to all that it sent, then the connection closes', async (t) => {
  const waiting: Http1Exchange[] = []
  const { host, transport } = converse(get('/1') + get('/2'), {}, (exchange) => {
    waiting.push(exchange)
  })
  transport.feedEnd()
  respond(waiting[0], 200, '', true)
  await sleep(1)
  t.notOk(transport.ended)
  respond(waiting[1], 200, '', true)
  t.same(statuses(transport.text), [200, 200])
  t.ok(transport.ended)
  t.equal(host.exchanges.length, 2)
})

t.test('a connection continues after a response only if both sides agree', async (t) => {
  const handler: Handler = (exchange) => respond(exchange, 200, '', exchange.target !== '/close')
  t.equal(converse(get('/1') + get('/2'), {}, handler).host.exchanges.length, 2)
  t.equal(converse(get('/close') + get('/2'), {}, handler).host.exchanges.length, 1)
  t.equal(converse(get('/1', 'Connection: close\r\n') + get('/2'), {}, handler).host.exchanges.length, 1)
})
