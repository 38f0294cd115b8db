import t, { type Test } from 'tap'
import { FakeServer, Response } from './support/fake-server.ts'
import { type Field, frameBytes, uint32 } from './support/frames.ts'

const END = 5
const OK: Field = [':status', '200']

/** A session whose first request was answered, so that its settings are known. */
function opened(): FakeServer {
  const server = new FakeServer()
  server.ask(new Response())
  server.send(server.settings(), server.head(1, [OK], END))
  server.frames()
  return server
}

/** A server that has received a GET on stream 1, and its response so far. */
function asked(): { readonly server: FakeServer; readonly response: Response } {
  const server = new FakeServer()
  const response = new Response()
  server.ask(response)
  server.frames()
  server.send(server.settings())
  server.frames()
  return { server, response }
}

t.test('a session begins with its preface and settings that refuse pushes, and sends the first request with them', async (t) => {
  const server = new FakeServer()
  server.ask(new Response(), [['te', 'trailers']])
  const frames = server.frames()
  t.same(
    frames.map(({ type, flags, stream }) => [type, flags, stream]),
    [
      [4, 0, 0],
      [8, 0, 0],
      [1, END, 1],
    ],
  )
  t.same(frames[0].payload.toString('hex'), '000200000000000400040000')
  t.same(frames[2].fields, [
    [':scheme', 'http'],
    [':authority', 'back'],
    [':path', '/'],
    [':method', 'GET'],
    ['te', 'trailers'],
  ])
})

t.test('a response arrives with interim responses, body and trailers', async (t) => {
  const { server, response } = asked()
  server.send(
    server.head(1, [
      [':status', '103'],
      ['link', '</a>'],
    ]),
    server.head(1, [OK, ['set-cookie', 'a'], ['set-cookie', 'b']]),
    frameBytes(0, 0, 1, 'one'),
    frameBytes(0, 8, 1, '\x02two\0\0'),
    server.head(1, [['x-sum', '7']], END),
  )
  t.same(response.events, ['103', 'head 200', 'data "one"', 'data "two"', 'end with X-Sum: 7'])
  t.same(
    [...response.heads[0].fields()],
    [
      ['Set-Cookie', 'a'],
      ['Set-Cookie', 'b'],
    ],
  )
  t.equal(server.session.isUsable, true)
})

t.test('requests follow each other on one connection, and share the table of fields', async (t) => {
  const server = opened()
  for (let id = 3; id <= 7; id += 2) {
    const response = new Response()
    server.ask(response, [['user-agent', 'a client with a long name']])
    const [head] = server.frames()
    t.equal(head.stream, id)
    if (id > 3) t.ok(head.payload.length < 20, 'the name is in the table')
    server.send(server.head(id, [OK], END))
    t.same(response.events, ['head 200', 'end'])
  }
})

t.test('a body is sent as far as both windows of the server permit', async (t) => {
  const server = new FakeServer()
  const response = new Response()
  const stream = server.ask(response, [], { method: 'POST', hasBody: true })
  server.send(server.settings([4, 10]))
  server.frames()
  // The first request may have used the initial window before the settings arrived.
  t.equal(stream.write(Buffer.from('0123456789abcdef')), false)
  t.same(server.sent(), ['DATA 1 "0123456789"'])
  t.equal(stream.isServersTurn, true)
  server.send(frameBytes(8, 0, 1, uint32(4)))
  t.same(server.sent(), ['DATA 1 "abcd"'])
  stream.finish(null)
  t.same(server.sent(), [])
  server.send(frameBytes(8, 0, 1, uint32(100)))
  t.same(server.sent(), ['DATA 1 "ef" end'])
  server.send(server.head(1, [OK], END))
  t.same(response.events, ['drain', 'head 200', 'end'])
})

t.test('a settings frame that shrinks windows makes a body wait for more than one update', async (t) => {
  const server = new FakeServer()
  const stream = server.ask(new Response(), [], { method: 'POST', hasBody: true })
  server.send(server.settings())
  stream.write(Buffer.alloc(65_000))
  server.frames()
  server.send(server.settings([4, 100]))
  stream.finish(Buffer.alloc(1000))
  t.same(server.sent(), ['SETTINGS ack'])
  server.send(frameBytes(8, 0, 1, uint32(64_900)))
  t.same(server.sent(), [])
  server.send(frameBytes(8, 0, 1, uint32(10)), frameBytes(8, 0, 0, uint32(70_000)))
  t.same(server.sent(), [`DATA 1 "${'\0'.repeat(10)}"`])
})

t.test('a writer waits while the connection takes nothing', async (t) => {
  const server = new FakeServer()
  const response = new Response()
  const stream = server.ask(response, [], { method: 'POST', hasBody: true })
  server.takesMore = false
  t.equal(stream.write(Buffer.from('x')), false)
  server.takesMore = true
  server.session.drained()
  t.same(response.events, ['drain'])
  t.equal(stream.write(Buffer.from('y')), true)
})

t.test('a reader that keeps up gives the window back when half of it is used', async (t) => {
  const { server, response } = asked()
  server.send(server.head(1, [OK]))
  const part = frameBytes(0, 0, 1, Buffer.alloc(16_384))
  for (let i = 0; i < 8; i++) server.send(part)
  t.same(server.sent(), ['WINDOW_UPDATE 1 131072'])
  t.equal(response.bytes, 8 * 16_384)
})

t.test('the bytes of a paused response are bounded by its window', async (t) => {
  const server = new FakeServer()
  const response = new Response()
  const request = server.ask(response)
  server.send(server.settings(), server.head(1, [OK]))
  server.frames()
  request.pause()
  const part = frameBytes(0, 0, 1, Buffer.alloc(16_384))
  for (let i = 0; i < 16; i++) server.send(part)
  t.same(server.sent(), [], 'no window is given')
  request.resume()
  t.same(server.sent(), ['WINDOW_UPDATE 1 262144'])
  request.pause()
  for (let i = 0; i < 17; i++) server.send(part)
  t.match(response.events.at(-1), 'protocol')
  t.match(server.sent().at(-1), 'GOAWAY 3 last 0')
})

t.test('a response that is complete before its request ends the request, and keeps the connection', async (t) => {
  const server = new FakeServer()
  const response = new Response()
  const request = server.ask(response, [], { method: 'POST', hasBody: true })
  server.frames()
  server.send(server.settings(), server.head(1, [[':status', '413']], END))
  t.same(response.events, ['head 413', 'end'])
  t.same(server.sent(), ['SETTINGS ack', 'RST_STREAM 1 8'])
  t.equal(request.write(Buffer.from('more')), true)
  t.same(server.sent(), [])
  t.equal(server.session.isUsable, true)
  // What the server sent before it saw the reset.
  server.send(frameBytes(3, 0, 1, uint32(0)), frameBytes(8, 0, 1, uint32(5)))
  t.equal(server.session.isUsable, true)
})

t.test('a cancelled request is reset, and its listener is not called any more', async (t) => {
  const server = opened()
  const response = new Response()
  const request = server.ask(response)
  server.frames()
  request.cancel()
  t.same(server.sent(), ['RST_STREAM 3 8'])
  server.send(server.head(3, [OK]), frameBytes(0, 1, 3, 'late'))
  t.same(response.events, [])
  t.equal(server.session.isOver, false)
})

t.test('a request that the server has certainly not begun can be repeated, and no other', async (t) => {
  const faults: readonly (readonly [Buffer, string])[] = [
    [frameBytes(3, 0, 3, uint32(7)), 'reset (not begun)'],
    [frameBytes(3, 0, 3, uint32(8)), 'reset'],
    [frameBytes(7, 0, 0, uint32(1, 0)), 'goaway (not begun)'],
  ]
  for (const [frame, expected] of faults) {
    const server = opened()
    const response = new Response()
    server.ask(response)
    server.send(frame)
    t.same(response.events, [expected])
  }
})

t.test('a server that leaves finishes the request that it has begun, and gets no other', async (t) => {
  const { server, response } = asked()
  server.send(frameBytes(7, 0, 0, uint32(1, 0)), server.head(1, [OK], END))
  t.same(response.events, ['head 200', 'end'])
  t.equal(server.session.isUsable, false)
  t.throws(() => server.ask(new Response()), { message: 'the session takes no request' })
})

t.test('frames that come with the end of a response are read before the end is reported', async (t) => {
  const { server, response } = asked()
  let usable = true
  response.onEnd = () => {
    usable = server.session.isUsable
  }
  server.send(server.head(1, [OK], END), frameBytes(7, 0, 0, uint32(1, 0)))
  t.equal(usable, false)
})

t.test('a connection that closes fails its request', async (t) => {
  const { server, response } = asked()
  server.session.close(new Error('reset by peer'))
  t.same(response.events, ['closed'])
  t.equal(response.fault?.message, 'reset by peer')
  t.equal(server.session.isOver, true)
})

t.test('a server that takes no streams gets no request', async (t) => {
  const server = new FakeServer()
  server.ask(new Response())
  server.send(server.settings([3, 0]), server.head(1, [OK], END))
  t.equal(server.session.isUsable, false)
})

t.test('one request is sent until the server has said how many it permits, and then as many', async (t) => {
  const server = new FakeServer()
  const responses = [new Response(), new Response(), new Response()]
  server.ask(responses[0])
  t.throws(() => server.ask(responses[1]), { message: 'the session takes no request' })
  server.send(server.settings([3, 3]))
  t.equal(server.session.room, 2)
  server.ask(responses[1])
  server.ask(responses[2])
  t.throws(() => server.ask(new Response()), { message: 'the session takes no request' })
  server.send(server.head(5, [OK]), server.head(1, [OK], END), frameBytes(0, 1, 5, 'c'), server.head(3, [OK], END))
  for (const { events } of responses) t.equal(events[0], 'head 200')
  t.same(responses[2].events, ['head 200', 'data "c"', 'end'])
  t.equal(server.session.room, 3)
})

t.test('however many requests a server permits, 100 are sent at a time', async (t) => {
  const server = opened()
  t.equal(server.session.room, 100)
})

t.test('a server that leaves loses only the requests that it has not begun', async (t) => {
  const server = opened()
  const responses = [new Response(), new Response(), new Response()]
  for (const response of responses) server.ask(response)
  server.send(frameBytes(7, 0, 0, uint32(5, 0)), server.head(5, [OK], END), server.head(3, [OK], END))
  t.same(
    responses.map(({ events }) => events.at(-1)),
    ['end', 'end', 'goaway (not begun)'],
  )
  t.equal(server.session.room, 0)
})

t.test('a stream that is reset, refused or cancelled leaves the others alone', async (t) => {
  const server = opened()
  const [first, second, third, fourth] = [new Response(), new Response(), new Response(), new Response()]
  server.ask(first)
  server.ask(second)
  const cancelled = server.ask(third)
  server.ask(fourth)
  server.frames()
  cancelled.cancel()
  t.same(server.sent(), ['RST_STREAM 7 8'])
  server.send(frameBytes(3, 0, 3, uint32(2)), server.head(5, [[':status', 'x']]), server.head(7, [OK]), server.head(9, [OK], END))
  t.same(first.events, ['reset'])
  t.same(second.events, ['malformed'])
  t.same(third.events, [])
  t.same(fourth.events, ['head 200', 'end'])
  t.equal(server.session.room, 100)
})

t.test('bodies of several requests share the window of the connection', async (t) => {
  const server = opened()
  const [first, second] = [new Response(), new Response()]
  server.frames()
  const one = server.ask(first, [], { method: 'POST', hasBody: true })
  const two = server.ask(second, [], { method: 'POST', hasBody: true })
  t.equal(one.write(Buffer.alloc(60_000)), true)
  t.equal(two.write(Buffer.alloc(60_000)), false, 'the window of the connection has 65535 bytes')
  const lengths = (): number[] => {
    const sums = [0, 0]
    for (const { type, stream, payload } of server.frames()) if (type === 0) sums[stream === 3 ? 0 : 1] += payload.length
    return sums
  }
  t.same(lengths(), [60_000, 5535])
  t.equal(one.write(Buffer.alloc(10_000)), false, 'and its own window has 5535')
  server.send(frameBytes(8, 0, 0, uint32(100_000)))
  t.same(lengths(), [5535, 54_465])
  t.same(second.events, ['drain'])
  t.same(first.events, [])
  server.send(frameBytes(8, 0, 3, uint32(100_000)))
  t.same(lengths(), [4465, 0])
  t.same(first.events, ['drain'])
})

t.test('all requests fail with their connection', async (t) => {
  const server = opened()
  const responses = [new Response(), new Response()]
  for (const response of responses) server.ask(response)
  server.session.close(null)
  t.same(
    responses.map(({ events }) => events),
    [['closed'], ['closed']],
  )
})

/** Sends a response that is none: the stream is reset, and the connection remains. */
function refuses(t: Test, name: string, make: (server: FakeServer) => readonly Buffer[], kind = 'malformed'): void {
  const { server, response } = asked()
  server.send(...make(server))
  t.equal(response.events.at(-1), kind, name)
  t.match(server.sent().at(-1), kind === 'malformed' ? 'RST_STREAM 1 1' : 'RST_STREAM 1 11', name)
  t.equal(server.session.isOver, false, name)
}

t.test('a response that could be read in two ways, or is none, resets its stream', async (t) => {
  const heads: readonly (readonly [string, readonly Field[]])[] = [
    ['no status', [['x', 'y']]],
    ['a status that is no number', [[':status', 'abc']]],
    ['a short status', [[':status', '99']]],
    ['a change of the protocol', [[':status', '101']]],
    ['two statuses', [OK, OK]],
    ['a late status', [['x', 'y'], OK]],
    ['another pseudo field', [OK, [':path', '/']]],
    ['a capital letter', [OK, ['X-A', 'b']]],
    ['an empty name', [OK, ['', 'b']]],
    ['a line feed in a value', [OK, ['x', 'a\r\nset-cookie: b']]],
    ['a NUL in a value', [OK, ['x', 'a\0']]],
    ['white space around a value', [OK, ['x', ' a']]],
    ['connection', [OK, ['connection', 'close']]],
    ['transfer-encoding', [OK, ['transfer-encoding', 'chunked']]],
    ['upgrade', [OK, ['upgrade', 'h3']]],
    ['two lengths', [OK, ['content-length', '3'], ['content-length', '4']]],
    ['a length twice', [OK, ['content-length', '3'], ['content-length', '3']]],
    ['a length that is none', [OK, ['content-length', '+3']]],
    ['a length without a body', [OK, ['content-length', '3']]],
    ['an interim response that ends', [[':status', '103']]],
  ]
  for (const [name, fields] of heads) refuses(t, name, (server) => [server.head(1, fields, END)])
  const length: readonly Field[] = [OK, ['content-length', '3']]
  refuses(t, 'a longer body', (server) => [server.head(1, length), frameBytes(0, 0, 1, 'four')])
  refuses(t, 'a shorter body', (server) => [server.head(1, length), frameBytes(0, 1, 1, 'on')])
  refuses(t, 'a shorter body with trailers', (server) => [server.head(1, length), server.head(1, [['x', 'y']], END)])
  refuses(t, 'a body of 204', (server) => [server.head(1, [[':status', '204']]), frameBytes(0, 1, 1, 'x')])
  refuses(t, 'trailers that end nothing', (server) => [server.head(1, [OK]), server.head(1, [['x', 'y']])])
  refuses(t, 'a status in trailers', (server) => [server.head(1, [OK]), server.head(1, [OK], END)])
  refuses(t, 'a length in trailers', (server) => [server.head(1, [OK]), server.head(1, [['content-length', '0']], END)])
})

t.test('a response to HEAD has a length and no body', async (t) => {
  const server = opened()
  const response = new Response()
  server.ask(response, [], { method: 'HEAD' })
  server.send(server.head(3, [OK, ['content-length', '5']], END))
  t.same(response.events, ['head 200', 'end'])
  const second = new Response()
  server.ask(second, [], { method: 'HEAD' })
  server.send(server.head(5, [OK]), frameBytes(0, 1, 5, 'x'))
  t.same(second.events, ['head 200', 'malformed'])
})

t.test('interim responses and fields are limited', async (t) => {
  refuses(t, 'interim', (server) => Array.from({ length: 11 }, () => server.head(1, [[':status', '103']])), 'excess')
  const long: Field = ['x-long', 'y'.repeat(4000)]
  // Each use costs one byte on the wire.
  refuses(t, 'a bomb', (server) => [server.head(1, [OK, long]), server.head(1, new Array<Field>(70).fill(long), END)], 'excess')
})

/** Sends something that breaks the rules of the connection: it ends. */
function ends(t: Test, name: string, code: number, make: (server: FakeServer) => readonly Buffer[]): void {
  const { server, response } = asked()
  server.send(...make(server))
  t.match(response.events.at(-1), 'protocol', name)
  t.match(server.sent().at(-1), `GOAWAY ${code} last 0`, name)
  t.equal(server.session.isOver, true, name)
}

t.test('a server that breaks the rules of the connection loses it', async (t) => {
  ends(t, 'a push', 1, (server) => [frameBytes(5, 4, 1, Buffer.concat([uint32(2), server.block([OK])]))])
  ends(t, 'data before a head', 1, () => [frameBytes(0, 0, 1, 'x')])
  ends(t, 'a stream that was never opened', 1, (server) => [server.head(3, [OK], END)])
  ends(t, 'a stream of the server', 1, (server) => [server.head(2, [OK], END)])
  ends(t, 'stream 0', 1, () => [frameBytes(0, 0, 0, 'x')])
  ends(t, 'a frame that is too long', 6, () => [frameBytes(0, 0, 1, Buffer.alloc(16_385))])
  ends(t, 'a block that cannot be decoded', 9, () => [frameBytes(1, END, 1, '\xff\xff\xff\xff\xff\xff')])
  ends(t, 'a block that another frame interrupts', 1, (server) => [server.head(1, [OK], 0), frameBytes(6, 0, 0, Buffer.alloc(8))])
  ends(t, 'a continuation of nothing', 1, () => [frameBytes(9, 4, 1, 'x')])
  ends(t, 'a window that overflows', 3, () => [frameBytes(8, 0, 1, uint32(0x7fff_ffff))])
  ends(t, 'a window of the connection that overflows', 3, () => [frameBytes(8, 0, 0, uint32(0x7fff_ffff))])
  ends(t, 'an update by nothing', 1, () => [frameBytes(8, 0, 1, uint32(0))])
  ends(t, 'a short PING', 6, () => [frameBytes(6, 0, 0, 'x')])
  ends(t, 'a short RST_STREAM', 6, () => [frameBytes(3, 0, 1, 'x')])
  ends(t, 'a short GOAWAY', 6, () => [frameBytes(7, 0, 0, 'x')])
  ends(t, 'settings that ask for pushes', 1, (server) => [server.settings([2, 1])])
  ends(t, 'settings of a stream', 1, () => [frameBytes(4, 0, 1)])
  ends(t, 'a window that is too large', 3, (server) => [server.settings([4, 0x8000_0000])])
  ends(t, 'padding that is longer than its frame', 1, (server) => [server.head(1, [OK]), frameBytes(0, 8, 1, '\x09abc')])
})

t.test('a server that speaks HTTP/1.1, or begins with anything but settings, loses the connection', async (t) => {
  for (const bytes of [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), frameBytes(6, 0, 0, Buffer.alloc(8))]) {
    const server = new FakeServer()
    const response = new Response()
    server.ask(response)
    server.send(bytes)
    t.same(response.events, ['protocol'])
  }
})

t.test('floods end the connection: continuations without end, and frames without content', async (t) => {
  ends(t, 'continuations', 11, (server) => [
    server.head(1, [OK], 0),
    ...Array.from({ length: 20 }, () => frameBytes(9, 0, 1, '')),
  ])
  const flood = (frame: Buffer): Buffer => Buffer.concat(new Array<Buffer>(12_000).fill(frame))
  ends(t, 'PING', 11, () => [flood(frameBytes(6, 0, 0, Buffer.alloc(8)))])
  ends(t, 'SETTINGS', 11, () => [flood(frameBytes(4, 0, 0))])
  ends(t, 'WINDOW_UPDATE', 11, () => [flood(frameBytes(8, 0, 0, uint32(1)))])
  ends(t, 'unknown frames', 11, () => [flood(frameBytes(200, 0, 0))])
  ends(t, 'empty DATA', 11, (server) => [server.head(1, [OK]), flood(frameBytes(0, 0, 1))])
})

t.test('a server may acknowledge a long body frame by frame', async (t) => {
  const server = new FakeServer()
  const response = new Response()
  const stream = server.ask(response, [], { method: 'POST', hasBody: true })
  server.send(server.settings())
  const part = Buffer.alloc(1024)
  const updates = Buffer.concat([frameBytes(8, 0, 0, uint32(1024)), frameBytes(8, 0, 1, uint32(1024))])
  for (let i = 0; i < 20_000; i++) {
    stream.write(part)
    server.frames()
    server.send(updates)
  }
  t.same(response.events, [], 'neither a fault nor a writer that has to wait')
  t.equal(stream.bytesSent, 20_000 * 1024)
})

t.test('settings and pings are acknowledged', async (t) => {
  const { server } = asked()
  server.send(server.settings([1, 0]), frameBytes(6, 0, 0, '12345678'), frameBytes(4, 1, 0))
  t.same(server.sent(), ['SETTINGS ack', 'PING ack'])
})

t.test('an error of the listener fails the request only', async (t) => {
  const { server, response } = asked()
  response.onData = () => {
    throw new Error('a bug')
  }
  server.send(server.head(1, [OK]), frameBytes(0, 0, 1, 'x'))
  t.equal(response.events.at(-1), 'broken')
  t.match(response.fault?.cause, { message: 'a bug' })
  t.match(server.sent().at(-1), 'GOAWAY 2 last 0')
})
