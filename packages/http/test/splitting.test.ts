import { cpuStopwatch } from '@gatewright/testing'
import t from 'tap'
import { converse, type Handler, respond } from './harness.ts'

/** Streams of requests with every kind of line end, fold and framing, including rejected ones. */
const STREAMS: string[] = [
  'GET /one HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n 2\r\nx-a: 3\r\nCookie: c\r\n\r\nGET /two HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  '\r\n\r\nPOST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloPOST /chunked HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n' +
    '3;x="y"\r\nabc\r\n00A\r\n0123456789\r\n0\r\nT: v\r\n w\r\n\r\nGET / HTTP/1.0\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nBad field: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nX: a\nY: b\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcX\r\n0\r\n\r\n',
  'GET  / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /simple\r\n',
]

const record: Handler = (exchange) => {
  if (exchange.refusal !== null) {
    respond(exchange, exchange.refusal.status, '', false)
    return
  }
  const chunks: Buffer[] = []
  exchange.readBody({
    onData(chunk) {
      chunks.push(chunk)
    },
    onEnd() {
      const trailers = [...(exchange.trailers ?? [])].join(';')
      const text = `${exchange.requestLine}|${[...exchange.fields].join(';')}|${Buffer.concat(chunks)}|${trailers}`
      respond(exchange, 200, text, exchange.persistencePossible)
    },
    onError(refusal) {
      respond(exchange, refusal.status, '', false)
    },
  })
}

for (const strict of [true, false]) {
  t.test(`a stream cut at any byte is read like the whole (${strict ? 'strict' : 'unsafe'})`, async (t) => {
    for (const stream of STREAMS) {
      const whole = converse(stream, { strict }, record).transport.text
      t.not(whole, '')
      for (let cut = 1; cut < stream.length; cut++) {
        const { transport } = converse([stream.slice(0, cut), stream.slice(cut)], { strict }, record)
        if (transport.text !== whole) t.equal(transport.text, whole, `cut at ${cut} of ${JSON.stringify(stream)}`)
      }
    }
  })

  t.test(`a stream that comes byte by byte is read like the whole (${strict ? 'strict' : 'unsafe'})`, async (t) => {
    for (const stream of STREAMS) {
      t.equal(converse([...stream], { strict }, record).transport.text, converse(stream, { strict }, record).transport.text)
    }
  })
}

t.test('counts of received bytes do not depend on the cuts', async (t) => {
  for (const stream of STREAMS.slice(0, 2)) {
    const whole = converse(stream, {}, record)
    const pieces = converse([...stream], {}, record)
    const sizes = whole.host.exchanges.map((exchange) => exchange.bytesReceived)
    t.same(
      pieces.host.exchanges.map((exchange) => exchange.bytesReceived),
      sizes,
    )
    t.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      stream.length,
    )
    t.equal(whole.connection.bytesIn, stream.length)
  }
})

t.test('a large head that arrives byte by byte costs linear time', async (t) => {
  const costOf = (fieldCount: number): number => {
    const fields = Array.from({ length: fieldCount }, (_, i) => `X-${i}: ${'v'.repeat(2000)}\r\n`).join('')
    const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\n${fields}\r\n`, 'latin1')
    const { host, transport } = converse('', { limitRequestFields: 0 })
    const spent = cpuStopwatch()
    for (let i = 0; i < bytes.length; i++) transport.feed(bytes.subarray(i, i + 1))
    const cost = spent()
    t.equal(host.exchanges.length, 1)
    t.equal(host.exchanges[0]?.fields.get(`x-${fieldCount - 1}`), 'v'.repeat(2000))
    return cost
  }
  costOf(10)
  const [small, large] = [costOf(10), costOf(200)]
  // Twenty times the bytes: quadratic work would cost 400 times as much.
  t.ok(large < Math.max(small, 1) * 150, `10 fields: ${small} ms of processor time, 200 fields: ${large} ms`)
})
