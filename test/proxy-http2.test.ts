import { once } from 'node:events'
import { connect } from 'node:net'
import { rawExchange, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../modules/mod_authz_core/src/index.ts'
import env from '../modules/mod_env/src/index.ts'
import headers from '../modules/mod_headers/src/index.ts'
import proxy from '../modules/mod_proxy/src/index.ts'
import proxyHttp2 from '../modules/mod_proxy_http2/src/index.ts'
import { type Field, frameBytes, uint32 } from '../packages/http2/test/support/frames.ts'
import { type BackEnd, type BackEndConnection, backEnd } from './http2/frame-back-end.ts'

const modules = [authzCore, env, headers, proxy, proxyHttp2]
const OK: Field = [':status', '200']

async function front(t: Test, { port }: Pick<BackEnd, 'port'>, lines = ''): Promise<Awaited<ReturnType<typeof site>>> {
  const config = `ProxyTimeout 60\nProxyPass / h2c://127.0.0.1:${port}/\nProxyPassReverse / h2c://127.0.0.1:${port}/\n${lines}`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  return server
}

t.test('a request is passed on with its fields, and without those of the connection', async (t) => {
  const back = await backEnd(t, (connection, stream) => connection.answer(stream, 'hello'))
  const server = await front(t, back)
  const response = await server.inject({
    target: '/%41%20b?q=%20',
    headers: {
      ...{ Connection: 'x-hop', 'X-Hop': '1', TE: 'gzip', 'HTTP2-Settings': 'AAAA', Upgrade: 'h2c', 'X-Kept': '2' },
      ...{ Authorization: 'Basic abc' },
    },
  })
  t.match(response, { status: 200, body: 'hello' })
  t.same(back.requests[0].slice(0, 4), [
    [':scheme', 'http'],
    [':authority', `127.0.0.1:${back.port}`],
    [':path', '/A%20b?q=%20'],
    [':method', 'GET'],
  ])
  const fields = new Map(back.requests[0])
  for (const name of ['connection', 'x-hop', 'http2-settings', 'upgrade', 'host']) t.notOk(fields.has(name), name)
  t.match(Object.fromEntries(fields), { te: 'trailers', 'x-kept': '2', authorization: 'Basic abc' })
  t.match(Object.fromEntries(fields), { 'x-forwarded-for': String, 'x-forwarded-server': String })
})

t.test('ProxyPreserveHost, ProxyVia and RequestHeader have their effect', async (t) => {
  const back = await backEnd(t, (connection, stream) => connection.answer(stream, ''))
  const server = await front(t, back, 'ProxyPreserveHost on\nProxyVia on\nProxyAddHeaders off\nRequestHeader set X-User alice')
  const response = await server.inject({ target: '/', headers: { Host: 'shop.test' } })
  const fields = Object.fromEntries(back.requests[0])
  t.match(fields, { ':authority': 'shop.test', via: /^1\.1 /, 'x-user': 'alice' })
  t.notHas(fields, 'x-forwarded-for')
  t.match(response.header('Via'), /^1\.1 /)
})

/** A back end whose settings are known, which keeps each further request until the test answers it. */
async function patient(t: Test): Promise<{
  readonly back: BackEnd
  readonly server: Awaited<ReturnType<typeof front>>
  /** Sends a request, and waits until the back end has it. */
  ask(target: string, method?: string): Promise<{ connection: BackEndConnection; stream: number; response: Promise<unknown> }>
}> {
  const kept: { connection: BackEndConnection; stream: number }[] = []
  const back = await backEnd(t, (connection, stream) => {
    if (back.requests.length === 1) connection.answer(stream, 'first')
    else kept.push({ connection, stream })
  })
  const server = await front(t, back)
  await server.inject('/')
  return {
    back,
    server,
    ask: async (target, method = 'GET') => {
      const count = kept.length
      const response = server.inject({ method, target })
      await until(t, () => kept.length > count)
      return { ...kept[count], response }
    },
  }
}

t.test('requests that follow each other use one connection', async (t) => {
  const back = await backEnd(t, (connection, stream) => connection.answer(stream, 'now'))
  const server = await front(t, back)
  for (const path of ['/1', '/2', '/3']) t.match(await server.inject(path), { status: 200, body: 'now' })
  t.equal(back.connections.length, 1)
})

t.test('requests join others on their connection, and may be answered before them', async (t) => {
  const { back, ask } = await patient(t)
  const asked = [await ask('/a'), await ask('/b'), await ask('/c')]
  for (const { connection, stream, response } of asked.toReversed()) {
    connection.answer(stream, `stream ${stream}`)
    t.match(await response, { status: 200, body: `stream ${stream}` })
  }
  t.same(
    asked.map(({ stream }) => stream),
    [3, 5, 7],
  )
  t.equal(back.connections.length, 1)
  const { stream } = await ask('/d')
  t.equal(stream, 9, 'the connection is kept')
})

t.test('a back end that permits two requests at a time gets the third by another connection', async (t) => {
  const { back, ask } = await patient(t)
  back.connections[0].send(frameBytes(4, 0, 0, Buffer.from('000300000002', 'hex')), frameBytes(6, 0, 0, '12345678'))
  await until(t, () => back.frames.some(({ type, flags }) => type === 6 && flags === 1))
  const asked = [await ask('/a'), await ask('/b'), await ask('/c')]
  t.same(
    asked.map(({ connection }) => connection.number),
    [1, 1, 2],
  )
  for (const { connection, stream, response } of asked) {
    connection.answer(stream, 'x')
    t.match(await response, { status: 200, body: 'x' })
  }
})

t.test('a back end that leaves completes what it has begun, and gets the rest by another connection', async (t) => {
  const { back, ask } = await patient(t)
  const [begun, late] = [await ask('/a'), await ask('/b', 'POST')]
  begun.connection.send(frameBytes(7, 0, 0, uint32(begun.stream, 0)))
  await until(t, () => back.requests.length === 4)
  t.equal(back.connections.length, 2)
  back.connections[1].answer(1, 'again')
  t.match(await late.response, { status: 200, body: 'again' })
  begun.connection.answer(begun.stream, 'begun')
  t.match(await begun.response, { status: 200, body: 'begun' })
})

t.test('a client that leaves has its stream reset, and others on the connection are served', async (t) => {
  const { server, back, ask } = await patient(t)
  const other = await ask('/a')
  const socket = connect(await server.listen(), '127.0.0.1')
  socket.write('GET /gone HTTP/1.1\r\nHost: a\r\n\r\n')
  await until(t, () => back.requests.length === 3)
  socket.resetAndDestroy()
  await until(t, () => back.frames.some(({ type, stream, payload }) => type === 3 && stream === 5 && payload.equals(uint32(8))))
  other.connection.answer(other.stream, 'other')
  t.match(await other.response, { status: 200, body: 'other' })
  t.equal(back.connections.length, 1)
})

t.test('a request that is reset, or answered with nonsense, does not harm others on its connection', async (t) => {
  const { back, ask } = await patient(t)
  const [first, second, third] = [await ask('/a'), await ask('/b'), await ask('/c')]
  first.connection.send(frameBytes(3, 0, first.stream, uint32(2)))
  t.match(await first.response, { status: 502 })
  second.connection.send(second.connection.head(second.stream, [['x', 'no status']]))
  t.match(await second.response, { status: 502 })
  const fourth = await ask('/d')
  t.equal(fourth.connection.number, 2, 'a connection with a malformed response takes no further request')
  third.connection.answer(third.stream, 'third')
  t.match(await third.response, { status: 200, body: 'third' })
  fourth.connection.answer(fourth.stream, 'fourth')
  t.match(await fourth.response, { status: 200, body: 'fourth' })
  await until(t, () => back.connections[0].socket.destroyed)
})

t.test('a response is relayed with its own fields, and those that belong to this server mapped', async (t) => {
  const back = await backEnd(t, (connection, stream) => {
    const location = `h2c://127.0.0.1:${back.port}/there`
    const fields: Field[] = [
      ['location', location],
      ['set-cookie', 'a=b'],
      ['set-cookie', 'c=d'],
      ['x-note', 'n'],
    ]
    connection.send(connection.head(stream, [[':status', '302'], ...fields], 5))
  })
  const server = await front(t, back)
  const text = await rawExchange(await server.listen(), 'GET / HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n')
  t.match(text, /^HTTP\/1\.1 302 Found\r\n/)
  t.match(text, /\r\nLocation: http:\/\/shop\.test\/there\r\n/)
  t.match(text, /\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\n/)
  t.match(text, /\r\nX-Note: n\r\n/)
  t.match(text, /\r\nContent-Length: 0\r\n/)
})

t.test('interim responses and trailers reach the client', async (t) => {
  const back = await backEnd(t, (connection, stream) => {
    connection.send(
      connection.head(stream, [
        [':status', '103'],
        ['link', '</a>'],
      ]),
      connection.head(stream, [OK]),
      frameBytes(0, 0, stream, 'text'),
      connection.head(stream, [['x-sum', '7']], 5),
    )
  })
  const server = await front(t, back)
  const request = 'GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: TE, close\r\n\r\n'
  const text = await rawExchange(await server.listen(), request)
  t.match(text, /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a>\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  t.match(text, /\r\n4\r\ntext\r\n0\r\nX-Sum: 7\r\n\r\n$/)
})

t.test('a short body is sent with its length, and a long one as the back end takes it', async (t) => {
  const back = await backEnd(t, () => {})
  const server = await front(t, back)
  const short = server.inject({ method: 'POST', target: '/', body: 'abc' })
  await until(t, () => back.frames.some(({ type, flags }) => type === 0 && (flags & 1) === 1))
  t.match(Object.fromEntries(back.requests[0]), { ':method': 'POST', 'content-length': '3' })
  back.connections[0].answer(1, 'got it')
  t.match(await short, { status: 200, body: 'got it' })

  const length = 200_000
  const long = server.inject({ method: 'POST', target: '/', body: 'x'.repeat(length) })
  const count = (): number =>
    back.frames.reduce((sum, { type, stream, payload }) => (type === 0 && stream === 3 ? sum + payload.length : sum), 0)
  // The window of the connection holds it back, of which the first body has used 3 bytes.
  await until(t, () => count() === 65_532)
  back.connections[0].send(frameBytes(8, 0, 3, uint32(length)), frameBytes(8, 0, 0, uint32(length)))
  await until(t, () => count() === length)
  back.connections[0].answer(3, 'got all')
  t.match(await long, { status: 200, body: 'got all' })
  t.match(Object.fromEntries(back.requests[1]), { 'content-length': String(length) })
})

t.test('a chunked body has no length, unless the back end is to receive one', async (t) => {
  const back = await backEnd(t, (connection, stream) => connection.answer(stream, 'fine'))
  const server = await front(t, back, '<Location /stated>\nSetEnv proxy-sendcl 1\n</Location>')
  const port = await server.listen()
  for (const target of ['/', '/stated']) {
    const head = `POST ${target} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
    t.match(await rawExchange(port, `${head}3\r\nabc\r\n0\r\n\r\n`), /^HTTP\/1\.1 200 /, target)
  }
  const lengths = back.requests.map((fields) => Object.fromEntries(fields)['content-length'])
  t.same(lengths, [undefined, '3'])
})

t.test('a response that is faster than its client waits in the back end', async (t) => {
  const part = frameBytes(0, 0, 1, Buffer.alloc(16_384))
  const total = 32 * 1024 * 1024
  let sent = 0
  let window = 65_535
  const back = await backEnd(t, (connection) => connection.send(connection.head(1, [OK, ['content-length', String(total)]])))
  const pump = (): void => {
    for (const { type, stream, payload } of back.frames.splice(0))
      if (type === 8 && stream === 1) window += payload.readUInt32BE(0)
    // The window of the stream is that of the settings.
    while (sent < total && sent + 16_384 <= window - 65_535 + 262_144) {
      back.connections[0].send(part)
      sent += 16_384
    }
    if (sent === total) back.connections[0].send(frameBytes(0, 1, 1))
  }
  const server = await front(t, back)
  const client = connect(await server.listen(), '127.0.0.1')
  t.teardown(() => void client.destroy())
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  client.pause()
  await until(t, () => back.requests.length === 1)
  // It reads nothing: what is under way fits into the buffers of both connections.
  let before = -1
  await until(t, () => {
    pump()
    const isStill = sent === before
    before = sent
    return isStill && sent > 0 && sent < total
  })
  let received = 0
  client.on('data', (bytes) => {
    received += bytes.length
  })
  client.resume()
  await until(t, () => {
    if (sent < total) pump()
    return received > total
  })
  t.equal(sent, total)
})

t.test('a request that was certainly not begun is sent again, once and by another connection', async (t) => {
  for (const refusal of [(stream: number) => frameBytes(3, 0, stream, uint32(7)), () => frameBytes(7, 0, 0, uint32(0, 0))]) {
    const back = await backEnd(t, (connection, stream) => {
      if (connection.number === 1) connection.send(refusal(stream))
      else connection.answer(stream, 'second')
    })
    const server = await front(t, back)
    t.match(await server.inject({ method: 'POST', target: '/', body: 'abc' }), { status: 200, body: 'second' })
    t.equal(back.requests.length, 2)
    const never = await backEnd(t, (connection, stream) => connection.send(refusal(stream)))
    const other = await front(t, never)
    t.match(await other.inject('/'), { status: 502 })
    t.equal(never.requests.length, 2)
  }
})

t.test('no other failed request is sent again', async (t) => {
  const failures: readonly (readonly [string, number, (stream: number) => Buffer])[] = [
    ['CANCEL', 502, (stream) => frameBytes(3, 0, stream, uint32(8))],
    ['NO_ERROR', 502, (stream) => frameBytes(3, 0, stream, uint32(0))],
    ['a push', 503, (stream) => frameBytes(5, 4, stream, uint32(2))],
    ['data without a head', 503, (stream) => frameBytes(0, 1, stream, 'x')],
    ['HTTP/1.1', 503, () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ]
  for (const [name, status, frame] of failures) {
    const back = await backEnd(t, (connection, stream) => connection.send(frame(stream)))
    const server = await front(t, back)
    t.match(await server.inject({ method: 'POST', target: '/', body: 'abc' }), { status }, name)
    t.equal(back.requests.length, 1, name)
    t.ok(
      server.errors().some((line) => line.includes(`response of 127.0.0.1:${back.port} failed`)),
      name,
    )
  }
})

t.test('a request that changes nothing is repeated if it meets a connection that the back end closes', async (t) => {
  const back = await backEnd(t, (connection, stream) => {
    if (connection.number === 1 && stream === 3) connection.socket.destroy()
    else connection.answer(stream, 'fine')
  })
  const server = await front(t, back)
  await server.inject('/')
  t.match(await server.inject('/'), { status: 200, body: 'fine' })
  t.equal(back.connections.length, 2)
  const strict = await backEnd(t, (connection, stream) => {
    if (stream === 3) connection.socket.destroy()
    else connection.answer(stream, 'fine')
  })
  const other = await front(t, strict)
  await other.inject('/')
  t.match(await other.inject({ method: 'POST', target: '/', body: 'x' }), { status: 503 })
  t.equal(strict.requests.length, 2)
})

t.test('an idle connection survives pings, and is given up when the back end leaves', async (t) => {
  const back = await backEnd(t, (connection, stream) => connection.answer(stream, 'fine'))
  const server = await front(t, back)
  await server.inject('/')
  back.connections[0].send(frameBytes(6, 0, 0, '12345678'))
  await until(t, () => back.frames.some(({ type, flags }) => type === 6 && flags === 1))
  await server.inject('/')
  t.equal(back.connections.length, 1)
  const closed = once(back.connections[0].socket, 'close')
  back.connections[0].send(frameBytes(7, 0, 0, uint32(3, 0)))
  await closed
  t.match(await server.inject('/'), { status: 200 })
  t.equal(back.connections.length, 2)
})

t.test('a response that could be read in two ways is never relayed', async (t) => {
  const heads: readonly (readonly Field[])[] = [
    [OK, ['content-length', '3'], ['content-length', '4']],
    [OK, ['content-length', '4']],
    [OK, ['transfer-encoding', 'chunked']],
    [OK, ['x', 'a\r\nContent-Length: 0']],
    [OK, ['connection', 'content-length']],
    [['x', 'y']],
  ]
  for (const fields of heads) {
    const back = await backEnd(t, (connection, stream) =>
      connection.send(connection.head(stream, fields), frameBytes(0, 1, stream, 'abc')),
    )
    const server = await front(t, back)
    const text = await rawExchange(await server.listen(), 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    t.match(text, /^HTTP\/1\.1 502 /)
    t.notMatch(text, /abc|\r\nX: /)
  }
})

t.test('a response that breaks off closes the connection of the client', async (t) => {
  const back = await backEnd(t, (connection, stream) => {
    connection.send(connection.head(stream, [OK, ['content-length', '10']]), frameBytes(0, 0, stream, 'abc'))
  })
  const server = await front(t, back)
  const socket = connect(await server.listen(), '127.0.0.1')
  socket.setEncoding('latin1')
  let got = ''
  socket.on('data', (text) => {
    got += text
    if (got.endsWith('abc')) back.connections[0].send(frameBytes(3, 0, 1, uint32(2)))
  })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'close')
  t.match(got, /\r\nContent-Length: 10\r\n\r\nabc$/)
  t.ok(server.errors().some((line) => line.includes('the back end reset the stream: INTERNAL_ERROR')))
})

t.test('a client that leaves resets its stream', async (t) => {
  const back = await backEnd(t, () => {})
  const server = await front(t, back)
  const socket = connect(await server.listen(), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await until(t, () => back.requests.length === 1)
  const closed = once(back.connections[0].socket, 'close')
  socket.resetAndDestroy()
  await closed
  t.pass('the connection is closed')
})

t.test('a back end that sends nothing is given up after the timeout of its worker', async (t) => {
  const back = await backEnd(t, () => {})
  const server = await site({ modules, config: `ProxyPass / h2c://127.0.0.1:${back.port}/ timeout=1` })
  t.teardown(() => server.close())
  t.match(await server.inject('/'), { status: 503 })
  t.equal(back.requests.length, 1)
})

t.test('pings are no progress: they do not keep a request waiting', async (t) => {
  const back = await backEnd(t, () => {})
  const server = await site({ modules, config: `ProxyPass / h2c://127.0.0.1:${back.port}/ timeout=1` })
  t.teardown(() => server.close())
  const pings = setInterval(() => {
    for (const connection of back.connections) connection.send(frameBytes(6, 0, 0, Buffer.alloc(8)))
  }, 50)
  t.teardown(() => clearInterval(pings))
  t.match(await server.inject('/'), { status: 503 })
})

t.test('a response that a page of this server replaces is not waited for', async (t) => {
  const back = await backEnd(t, (connection, stream) => {
    connection.send(
      connection.head(stream, [
        [':status', '401'],
        ['www-authenticate', 'Basic realm="x"'],
        ['x-own', '1'],
      ]),
    )
  })
  const server = await front(t, back, 'ProxyErrorOverride on')
  const response = await server.inject('/')
  t.equal(response.status, 401)
  t.equal(response.header('WWW-Authenticate'), 'Basic realm="x"')
  t.equal(response.header('X-Own'), undefined)
})

t.test('nothing is sent to a back end before access is granted', async (t) => {
  const back = await backEnd(t, (connection, stream) => connection.answer(stream, 'x'))
  const server = await front(t, back, '<Location /closed>\nRequire all denied\n</Location>')
  t.match(await server.inject('/closed'), { status: 403 })
  t.same(back.requests, [])
})

t.test('a back end that is not there is 503, and is reported as httpd does', async (t) => {
  const server = await site({ modules, config: 'ProxyPass / h2c://127.0.0.1:1/' })
  t.teardown(() => server.close())
  t.match(await server.inject('/'), { status: 503 })
  const expected = 'AH00957: H2C: attempt to connect to 127.0.0.1:1 (127.0.0.1:1) failed'
  t.ok(server.errors().some((line) => line.includes(expected)))
})

/** Waits for a condition that other events of this process bring about. */
async function until(t: Test, holds: () => boolean): Promise<void> {
  const limit = Date.now() + 30_000
  while (!holds()) {
    if (Date.now() > limit) {
      t.fail('the condition did not come true')
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
