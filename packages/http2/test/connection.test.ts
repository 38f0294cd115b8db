import type { WireImage } from '@gatewright/http'
import t from 'tap'
import { HTTP2_PREFACE, type Http2Exchange } from '../src/index.ts'
import { answerPlainly, answers, FrameClient, frameBytes, headOf, pseudoFields, uint32 } from './support/client.ts'

t.test('a request is answered on its stream, and the settings of both sides are acknowledged', async (t) => {
  const client = FrameClient.begun(answerPlainly)
  client.request(1, '/a')
  const frames = (await client.frames()).map(({ type }) => type)
  t.same(frames, [4, 8, 4, 1, 0])
  const [exchange] = client.exchanges
  t.equal(exchange.requestLine, 'GET /a HTTP/2.0')
  t.equal(exchange.fields.get('host'), 'localhost')
  t.equal(exchange.hostname, 'localhost')
})

t.test('a connection that begins with something else is one of HTTP/1.x', (t) => {
  const client = new FrameClient(() => t.fail('no request of HTTP/2'))
  client.transport.feed('PRI * HTTP/2.0\r\n\r\nSM\r\n')
  t.equal(client.others.length, 0)
  client.transport.feed('XX')
  t.same(
    client.others.map(({ requestLine }) => requestLine),
    ['PRI * HTTP/2.0'],
  )
  t.end()
})

t.test('the preface may arrive byte by byte', async (t) => {
  const client = new FrameClient(answerPlainly)
  for (const byte of Buffer.concat([HTTP2_PREFACE, frameBytes(4, 0, 0)])) client.transport.feed(Buffer.from([byte]))
  client.request(1)
  t.same(await answers(client), ['HEADERS 1 200', 'DATA 1 "/" end'])
})

t.test('answers of all requests that arrive together leave in one write', async (t) => {
  const client = FrameClient.begun(answerPlainly)
  await client.frames()
  const writes = client.transport.output.length
  const requests: Buffer[] = []
  for (let stream = 1; stream < 40; stream += 2) {
    requests.push(frameBytes(1, 5, stream, client.block(pseudoFields('GET', `/${stream}`))))
  }
  client.transport.feed(Buffer.concat(requests))
  t.equal(client.transport.output.length, writes + 1)
  t.equal((await answers(client)).length, 40)
})

t.test('only so many requests begin in one turn of the loop', async (t) => {
  const client = FrameClient.begun(answerPlainly)
  const requests: Buffer[] = []
  for (let stream = 1; stream <= 199; stream += 2) requests.push(frameBytes(1, 5, stream, client.block(pseudoFields('GET', '/'))))
  client.transport.feed(Buffer.concat(requests))
  t.equal(client.exchanges.length, 32)
  await client.frames()
  t.equal(client.exchanges.length, 100)
})

t.test('a body is passed on as it arrives, with its trailers', async (t) => {
  const seen: string[] = []
  const client = FrameClient.begun((exchange) =>
    exchange.readBody({
      onData: (chunk) => void seen.push(chunk.toString()),
      onEnd: () => exchange.respond(headOf(200), exchange.trailers?.get('x-sum') ?? null, null),
      onError: ({ status }) => exchange.respond(headOf(status), null, null),
    }),
  )
  client.request(1, '/', [], 'POST', false)
  client.send(0, 0, 1, 'abc')
  client.send(0, 8, 1, Buffer.from([2, 100, 101, 0, 0]))
  client.send(1, 5, 1, client.block([['x-sum', '5']]))
  t.same(await answers(client), ['HEADERS 1 200', 'DATA 1 "5" end'])
  t.same(seen, ['abc', 'de'])
})

t.test('only a body without a stated length has Transfer-Encoding, as in HTTP/1.1', async (t) => {
  const client = FrameClient.begun(answerPlainly)
  client.request(1, '/unstated', [], 'POST', false)
  client.request(3, '/stated', [['content-length', '5']], 'POST', false)
  client.request(5, '/none', [], 'POST')
  await client.frames()
  t.strictSame(
    client.exchanges.map(({ target, fields }) => [target, fields.get('transfer-encoding') ?? null]),
    [
      ['/unstated', 'chunked'],
      ['/stated', null],
      ['/none', null],
    ],
  )
})

t.test('a client may send as much as was consumed, and no more', async (t) => {
  const client = FrameClient.begun(() => {})
  client.request(1, '/', [], 'POST', false)
  const block = 'x'.repeat(16_000)
  for (let i = 0; i < 4; i++) client.send(0, 0, 1, block)
  t.same(await answers(client), [])
  client.send(0, 0, 1, block)
  t.same(await answers(client), ['RST_STREAM 1 3'], 'the window of the stream')
  client.request(3, '/', [], 'POST', false)
  client.send(0, 0, 3, block)
  const [, exchange] = client.exchanges
  exchange.readBody({ onData() {}, onEnd() {}, onError() {} })
  for (let i = 0; i < 20; i++) {
    client.send(0, 0, 3, block)
    await client.frames()
  }
  t.equal(exchange.arrivedBytes, 21 * 16_000)
  t.equal(client.closed, false)
})

t.test('a response waits for the windows of its stream and of the connection', async (t) => {
  const client = FrameClient.begun((exchange) => exchange.respond(headOf(200), Buffer.alloc(100_000), null))
  client.send(4, 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(10)]))
  client.request(1)
  t.same(await answers(client), ['HEADERS 1 200', `DATA 1 "${'\0'.repeat(10)}"`])
  client.send(8, 0, 1, uint32(5))
  t.same(await answers(client), [`DATA 1 "${'\0'.repeat(5)}"`])
  t.equal(client.exchanges[0].answered, false)
  client.send(8, 0, 1, uint32(1_000_000))
  t.same(await answers(client), ['DATA 1 16384', 'DATA 1 16384', 'DATA 1 16384', `DATA 1 ${65_535 - 15 - 3 * 16_384}`])
  client.send(8, 0, 0, uint32(1_000_000))
  t.same(await answers(client), ['DATA 1 16384', 'DATA 1 16384', `DATA 1 ${100_000 - 65_535 - 2 * 16_384} end`])
  t.equal(client.exchanges[0].answered, true)
})

t.test('urgent responses come first, and incremental ones take turns', async (t) => {
  const client = FrameClient.begun((exchange) => exchange.respond(headOf(200), Buffer.alloc(30_000), null))
  client.send(4, 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(0)]))
  const priorities: readonly [number, string][] = [
    [1, 'u=5'],
    [3, 'u=5, i'],
    [5, 'u=5, i'],
    [7, 'u=1'],
    [9, 'u=9'],
  ]
  for (const [stream, priority] of priorities) client.request(stream, '/', [['priority', priority]])
  client.send(16, 0, 0, Buffer.concat([uint32(9), Buffer.from('u=0')]))
  await answers(client)
  client.send(8, 0, 0, uint32(1_000_000))
  client.send(4, 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(1_000_000)]))
  const order = (await answers(client)).map((text) => Number(text.split(' ')[1]))
  t.same(order, [9, 9, 7, 7, 1, 1, 3, 5, 3, 5])
})

t.test('a stream that the client gives up ends its request, and what was not begun never begins', async (t) => {
  let gone = 0
  const client = FrameClient.begun((exchange) => void exchange.whenGone(() => gone++))
  client.request(1)
  await client.frames()
  client.send(3, 0, 1, uint32(8))
  t.equal(gone, 1)
  t.equal(client.exchanges[0].aborted, true)
  client.transport.feed(
    Buffer.concat([frameBytes(1, 5, 3, client.block(pseudoFields('GET', '/'))), frameBytes(3, 0, 3, uint32(8))]),
  )
  await client.frames()
  t.equal(client.exchanges.length, 1)
})

t.test('a response that is broken off resets its stream alone', async (t) => {
  const client = FrameClient.begun((exchange) => {
    if (exchange.target !== '/bad') return answerPlainly(exchange)
    exchange.begin(headOf(200, '', 'marked'))
    exchange.write('part')
    exchange.breakOff()
  })
  client.request(1, '/bad')
  client.request(3, '/good')
  const texts = await answers(client)
  t.ok(texts.includes('RST_STREAM 1 2'))
  t.ok(texts.includes('DATA 3 "/good" end'))
})

t.test('resources that a response names for preloading are pushed once', async (t) => {
  const client = FrameClient.begun((exchange) => {
    const link = exchange.target === '/' ? 'Link: </style>;rel=preload, </none>;rel=next, <//x>; rel="preload"; nopush\r\n' : ''
    exchange.respond(headOf(200, link), exchange.target, null)
  })
  client.request(1)
  const texts = await answers(client)
  t.same(texts, ['PUSH_PROMISE 1 /style', 'HEADERS 1 200', 'DATA 1 "/" end', 'HEADERS 2 200', 'DATA 2 "/style" end'])
  client.request(3)
  t.same(await answers(client), ['HEADERS 3 200', 'DATA 3 "/" end'])
})

t.test('an engine that drains says so, serves what is in transit, and closes', async (t) => {
  const client = FrameClient.begun(answerPlainly)
  client.request(1)
  await client.frames()
  client.engine.drain()
  client.engine.tick()
  t.same(await answers(client), [`GOAWAY 0 last ${0x7fff_ffff}`, 'PING'])
  client.request(3)
  client.send(6, 1, 0, 'leavleav')
  const texts = await answers(client)
  t.ok(texts.includes('DATA 3 "/" end'), 'a request that the client sent before it knew')
  t.equal(texts.at(-1), 'GOAWAY 0 last 3')
  t.equal(client.transport.ended, true)
})

t.test('an idle connection closes after KeepAliveTimeout', async (t) => {
  const client = FrameClient.begun(answerPlainly, {}, { keepAliveTimeout: 0 })
  client.request(1)
  await client.frames()
  client.engine.now += 200
  client.engine.tick()
  t.same(await answers(client), ['GOAWAY 0 last 1'])
  client.transport.feedEnd()
  await client.frames()
  t.equal(client.closed, true)
})

t.test('a stream whose client takes nothing is reset after its time limit', async (t) => {
  const client = FrameClient.begun((exchange) => exchange.respond(headOf(200), Buffer.alloc(70_000), null), {
    streamTimeout: 1000,
  })
  client.request(1)
  await client.frames()
  client.engine.now += 1200
  client.engine.tick()
  t.same(await answers(client), ['RST_STREAM 1 8'])
  t.equal(client.reports.length, 1)
  t.equal(client.exchanges[0].answered, true, 'its end is reported to the host')
})

t.test('a body that does not arrive in time is refused', async (t) => {
  const statuses: number[] = []
  const client = FrameClient.begun((exchange) =>
    exchange.readBody({
      onData() {},
      onEnd() {},
      onError: ({ status }) => {
        statuses.push(status)
        exchange.respond(headOf(status), null, null)
      },
    }),
  )
  client.request(1, '/', [], 'POST', false)
  await client.frames()
  client.engine.now += 61_000
  client.engine.tick()
  t.same(statuses, [408])
  t.same(await answers(client), ['HEADERS 1 408 end', 'RST_STREAM 1 0'])
})

t.test('a head that is larger than the limit resets its stream, and the connection continues', async (t) => {
  // 12 bytes for each field, 17 for the block: `:status 200` and `x-a` need 22 + 15 + 17 and the value.
  const answerWith = (value: string) => (exchange: Http2Exchange) =>
    exchange.respond(headOf(200, `X-A: ${value}\r\n`), 'text', null)
  const client = FrameClient.begun(answerWith('a'.repeat(446)), { maxHeaderBlock: 500 })
  client.request(1)
  client.handler = answerWith('a'.repeat(447))
  client.request(3)
  client.handler = answerPlainly
  client.request(5, '/five')
  t.same(await answers(client), ['HEADERS 1 200', 'DATA 1 "text" end', 'RST_STREAM 3 1', 'HEADERS 5 200', 'DATA 5 "/five" end'])
})

t.test('without a limit, a head of 64 KiB and more resets its stream', async (t) => {
  const fields = Array.from({ length: 10 }, (_, i) => `X-${i}: ${'a'.repeat(6600)}\r\n`).join('')
  const client = FrameClient.begun((exchange) => exchange.respond(headOf(200, fields), null, null))
  client.request(1)
  t.same(await answers(client), ['RST_STREAM 1 1'])
})

t.test('streams that ignore flow control end the connection when they are too many', async (t) => {
  for (const maxStreamErrors of [0, 2]) {
    const client = FrameClient.begun(() => {}, { maxStreamErrors })
    for (let stream = 1; stream <= 7; stream += 2) {
      client.request(stream)
      client.send(8, 0, stream, uint32(0x7fff_ffff))
    }
    const resets = ['RST_STREAM 1 3', 'RST_STREAM 3 3', 'RST_STREAM 5 3']
    t.same(await answers(client), [...resets, ...(maxStreamErrors === 0 ? ['RST_STREAM 7 3'] : ['GOAWAY 1 last 5'])])
  }
})

t.test(
  'a prepared response has the same meaning as one that is built, on any connection, and the table is kept in step',
  async (t) => {
    const head = headOf(200, 'Content-Type: text/plain\r\nConnection: close\r\nX-A: 1\r\nSet-Cookie: secret\r\n')
    const body = Buffer.from('body')
    let image: WireImage | null = null
    const client = FrameClient.begun((exchange) => {
      const { images } = exchange
      if (images === null || exchange.target === '/built') return exchange.respond(head, body, null)
      image ??= images.makeImage(head, body)
      const bytes = images.imageBytes(image, null, 2000)
      if (bytes === null) return t.fail('an image of this protocol')
      images.sendImage(bytes, null)
    })
    const fieldsOf = async (from: FrameClient): Promise<unknown> => {
      const frames = await from.frames()
      return frames
        .filter(({ type }) => type === 0 || type === 1)
        .map(({ type, flags, fields, payload }) => [type === 1 ? fields : payload.toString(), flags])
    }
    client.request(1, '/built')
    await client.frames()
    client.request(3, '/built')
    const built = await fieldsOf(client)
    client.request(5)
    t.same(await fieldsOf(client), built)
    client.request(7, '/built')
    t.same(await fieldsOf(client), built, 'what the client remembers did not change')
    const other = FrameClient.beside(client)
    other.request(1)
    t.same(await fieldsOf(other), built)
  },
)

t.test('a prepared response waits for windows, and announces a change of the table before its head', async (t) => {
  let image: WireImage | null = null
  const client = FrameClient.begun((exchange) => {
    image ??= exchange.makeImage(headOf(200), Buffer.alloc(40_000, 'x'))
    const bytes = exchange.imageBytes(image)
    if (bytes !== null) exchange.sendImage(bytes, null)
  })
  client.request(1)
  t.same(await answers(client), ['HEADERS 1 200', 'DATA 1 16384', 'DATA 1 16384', 'DATA 1 7232 end'])
  client.request(3)
  t.same(await answers(client), ['HEADERS 3 200', 'DATA 3 16384', 'DATA 3 9151'], 'the window of the connection is used up')
  client.send(8, 0, 0, uint32(40_000))
  t.same(await answers(client), ['DATA 3 14465 end'])
  client.send(4, 0, 0, Buffer.from('000100000000', 'hex'))
  client.request(5, '/', [], 'HEAD')
  const frames = await client.frames()
  t.equal(frames.find(({ type }) => type === 1)?.payload[0], 0x20, 'the table has no room from now on')
})

t.test('a more urgent response overtakes a small one of the same turn', async (t) => {
  const client = FrameClient.begun(answerPlainly)
  const block = (path: string, urgency: string): Buffer =>
    client.block([...pseudoFields('GET', path), ['priority', `u=${urgency}`]])
  client.transport.feed(Buffer.concat([frameBytes(1, 5, 1, block('/late', '6')), frameBytes(1, 5, 3, block('/soon', '1'))]))
  const data = (await answers(client)).filter((text) => text.startsWith('DATA'))
  t.same(data, ['DATA 3 "/soon" end', 'DATA 1 "/late" end'])
})

t.test('a request without a body has one that has ended, for those who ask', async (t) => {
  const client = FrameClient.begun((exchange) => {
    t.equal(exchange.incoming.ended, true)
    t.equal(exchange.incoming.wantsInput, false)
    exchange.refuseBody({ status: 413, note: '', log: null, silent: false })
    answerPlainly(exchange)
  })
  client.request(1)
  t.same(await answers(client), ['HEADERS 1 200', 'DATA 1 "/" end'])
})

t.test('a body that ends with an empty frame, and one that nobody has read before its end, are complete', async (t) => {
  const seen: string[] = []
  const exchanges: Http2Exchange[] = []
  const client = FrameClient.begun((exchange) => exchanges.push(exchange))
  client.request(1, '/', [], 'POST', false)
  client.send(0, 1, 1)
  client.request(3, '/', [], 'POST', false)
  client.send(0, 1, 3, 'late')
  await client.frames()
  for (const exchange of exchanges) {
    exchange.readBody({
      onData: (chunk) => void seen.push(chunk.toString()),
      onEnd: () => void seen.push(`end of ${exchange.id}`),
      onError: () => void seen.push('refused'),
    })
  }
  t.same(seen, ['end of 1', 'late', 'end of 3'])
})

t.test('a stream ends although the client has made its window negative', async (t) => {
  const client = FrameClient.begun((exchange) => {
    exchange.begin(headOf(200))
    exchange.write('some text')
  })
  client.request(1)
  t.same(await answers(client), ['HEADERS 1 200', 'DATA 1 "some text"'])
  client.send(4, 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(0)]))
  const [exchange] = client.exchanges
  t.equal(exchange.sendWindow, -9)
  exchange.finish('', null)
  t.same(await answers(client), ['DATA 1 "" end'])
  client.handler = answerPlainly
  client.request(3, '/on')
  t.same(await answers(client), ['HEADERS 3 200'], 'the connection lives on')
})

t.test('a prepared response without content is sent at once beside one that waits', async (t) => {
  const client = FrameClient.begun((exchange) => {
    exchange.begin(headOf(200))
    exchange.write('x'.repeat(70_000))
  })
  client.request(1)
  client.send(8, 0, 1, uint32(100_000))
  await client.frames()
  client.handler = (exchange) => {
    setImmediate(() => exchange.sendImage(exchange.makeImage(headOf(204), Buffer.alloc(0)).bytes, null))
  }
  client.request(3)
  t.same(await answers(client), ['HEADERS 3 204 end'])
})
