import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionSettings, type EngineLimits, HttpEngine } from '@gatewright/http'
import t, { type Test } from 'tap'
import { answerPlainly, get, type Handler, head, respond, responseHead, sleep, statuses, TestHost, until } from './harness.ts'

interface Server {
  readonly host: TestHost
  readonly engine: HttpEngine
  readonly listener: net.Server
  readonly port: number
}

async function serve(
  t: Test,
  handler: Handler = answerPlainly,
  settings: Partial<ConnectionSettings> = {},
  limits?: EngineLimits,
): Promise<Server> {
  const host = new TestHost(settings, handler)
  const engine = new HttpEngine(host, limits)
  const listener = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    engine.accept(socket)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    listener.close()
    engine.close()
  })
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { host, engine, listener, port: address.port }
}

class Client {
  readonly socket: net.Socket
  text = ''
  ended = false
  error = ''

  constructor(t: Test, port: number) {
    this.socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    this.socket.on('data', (chunk: Buffer) => {
      this.text += chunk.toString('latin1')
    })
    this.socket.on('end', () => {
      this.ended = true
    })
    this.socket.on('error', (error) => {
      this.error = error.message
    })
    t.teardown(() => this.socket.destroy())
  }
}

t.test('requests are served on a kept connection, and the addresses are those of the socket', async (t) => {
  const remotes: string[] = []
  const { host, port } = await serve(t, (exchange) => {
    const { remoteAddress, remotePort, localAddress, localPort } = exchange.connection
    remotes.push(`${remoteAddress}:${remotePort} ${localAddress}:${localPort}`)
    answerPlainly(exchange)
  })
  const client = new Client(t, port)
  client.socket.write(get('/1'))
  t.ok(await until(() => client.text.endsWith('GET /1')))
  client.socket.write(get('/2', 'Connection: close\r\n'))
  t.ok(await until(() => client.ended))
  t.same(statuses(client.text), [200, 200])
  const { connection } = host.exchanges[0]
  const expected = `127.0.0.1:${client.socket.localPort} 127.0.0.1:${port}`
  t.same(remotes, [expected, expected])
  t.equal(connection.requestCount, 2)
  client.socket.end()
  t.ok(await until(() => host.closed.length === 1))
  t.equal(connection.remoteAddress, '127.0.0.1', 'known after the close as well')
  t.equal(connection.localAddress, '127.0.0.1')
})

t.test('a client that is still sending gets the answer that refuses its body', async (t) => {
  const { port } = await serve(t, (exchange) => respond(exchange, 413, '', false))
  for (let i = 0; i < 10; i++) {
    const client = new Client(t, port)
    client.socket.pause()
    client.socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n')
    client.socket.write(Buffer.alloc(2_000_000))
    await sleep(10)
    client.socket.resume()
    t.ok(await until(() => client.ended))
    t.equal(client.text, head(413, 0, false))
    t.equal(client.error, '')
    client.socket.destroy()
  }
})

t.test('a bad head is answered although more follows', async (t) => {
  const { port, engine } = await serve(t)
  const client = new Client(t, port)
  client.socket.write(`BAD\r\n${'x'.repeat(500_000)}`)
  t.ok(await until(() => client.ended))
  t.same(statuses(client.text), [400])
  client.socket.end()
  t.ok(await until(() => engine.connections === 0), 'the end of the client ends the lingering')
  t.equal(engine.lingering, 0)
})

t.test('a client that closes its sending side at once gets a late answer', async (t) => {
  const { port } = await serve(t, (exchange) => {
    setTimeout(() => respond(exchange, 200, 'late', true), 30)
  })
  const client = new Client(t, port)
  client.socket.end(get('/'))
  t.ok(await until(() => client.ended))
  t.equal(client.text, `${head(200, 4, true)}late`)
})

t.test('draining keeps idle connections until the host closes them with their next response', async (t) => {
  const { host, engine, listener, port } = await serve(t, (exchange) => respond(exchange, 200, '', !exchange.connection.draining))
  const idle = new Client(t, port)
  const fresh = new Client(t, port)
  idle.socket.write(get('/1'))
  t.ok(await until(() => idle.text !== '' && engine.connections === 2))
  listener.close()
  engine.drain()
  await sleep(50)
  t.equal(engine.connections, 2)
  t.notOk(idle.ended)
  idle.socket.write(get('/2'))
  fresh.socket.write(get('/3'))
  t.ok(await until(() => idle.ended && fresh.ended))
  t.equal(idle.text, head(200, 0, true) + head(200, 0, false))
  t.equal(fresh.text, head(200, 0, false))
  t.equal(host.exchanges.length, 3)
  idle.socket.end()
  fresh.socket.end()
  t.ok(await until(() => engine.connections === 0))
})

t.test(
  'requests that a client has pipelined are all answered while draining, the last one with the end of the connection',
  async (t) => {
    const { engine, port } = await serve(t, (exchange) => respond(exchange, 200, '', !exchange.connection.draining))
    const client = new Client(t, port)
    engine.drain()
    client.socket.write(get('/1') + get('/2') + get('/3'))
    t.ok(await until(() => client.ended))
    t.equal(client.text, head(200, 0, true) + head(200, 0, true) + head(200, 0, false))
  },
)

t.test('closeIdle ends kept connections and no others', async (t) => {
  const { engine, port } = await serve(t, (exchange) => {
    if (exchange.target === '/quick') respond(exchange, 200, '', true)
  })
  const [idle, busy, fresh] = [new Client(t, port), new Client(t, port), new Client(t, port)]
  idle.socket.write(get('/quick'))
  busy.socket.write(get('/slow'))
  t.ok(await until(() => idle.text !== '' && engine.connections === 3))
  engine.closeIdle()
  t.ok(await until(() => idle.ended))
  t.notOk(busy.ended)
  t.notOk(fresh.ended)
})

t.test('the engine reports the number of connections by activity', async (t) => {
  const { engine, port } = await serve(t, (exchange) => {
    if (exchange.target === '/quick') respond(exchange, 200, '', true)
    if (exchange.target === '/last') respond(exchange, 200, '', false)
  })
  const [idle, busy, partial, last] = Array.from({ length: 5 }, () => new Client(t, port))
  idle.socket.write(get('/quick'))
  busy.socket.write(get('/slow'))
  partial.socket.write('GET /half HTT')
  last.socket.write('POST /last HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n')
  t.ok(await until(() => idle.text !== '' && last.text !== '' && engine.connections === 5))
  t.strictSame(engine.activities(), { reading: 2, working: 1, writing: 0, keepAlive: 1, closing: 1 })
})

t.test('engine.close ends everything, and busy exchanges hear of it', async (t) => {
  const { host, engine, port } = await serve(t, () => {})
  const client = new Client(t, port)
  client.socket.write(get('/'))
  t.ok(await until(() => host.exchanges.length === 1))
  engine.close()
  t.ok(await until(() => host.exchanges[0].aborted && engine.connections === 0))
})

t.test('a client that resets the connection aborts its exchange', async (t) => {
  const { host, port } = await serve(t, () => {})
  const client = new Client(t, port)
  client.socket.write(get('/'))
  t.ok(await until(() => host.exchanges.length === 1))
  client.socket.resetAndDestroy()
  t.ok(await until(() => host.exchanges[0].aborted))
})

t.test('many connections come and go, and none stays in the registry', async (t) => {
  const { host, engine, port } = await serve(t)
  const clients = Array.from({ length: 60 }, () => new Client(t, port))
  clients.forEach((client, i) => {
    client.socket.write(get(`/${i}`, i % 2 === 0 ? 'Connection: close\r\n' : ''))
  })
  t.ok(await until(() => clients.every((client) => client.text !== '')))
  for (const client of clients) client.socket.destroy()
  t.ok(await until(() => engine.connections === 0))
  t.equal(host.closed.length, 60)
})

t.test('slow readers of a large file take constant memory, and progress saves them from the timeout', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-http-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const size = 12 * 1024 * 1024
  // Long, for a machine that stalls; the readers take still longer.
  const timeout = 4000
  const file = join(folder, 'file')
  writeFileSync(file, Buffer.alloc(size, 'x'))
  const outcomes: boolean[] = []
  const { host, port } = await serve(
    t,
    (exchange) => {
      const part = { fd: openSync(file, 'r'), start: 0, length: size, closeFd: true }
      exchange.sendFile(responseHead({ length: size, persistent: false }), [part], (complete) => outcomes.push(complete))
    },
    { timeout },
  )
  const clients = Array.from({ length: 6 }, () => net.connect({ port, host: '127.0.0.1' }))
  const received = clients.map(() => 0)
  clients.forEach((socket, i) => {
    t.teardown(() => socket.destroy())
    socket.write(get('/'))
    socket.on('data', (chunk: Buffer) => {
      received[i] += chunk.length
      socket.pause()
      setTimeout(() => socket.resume(), 30)
    })
  })
  let most = 0
  const begin = performance.now()
  t.ok(
    await until(() => {
      for (const { connection } of host.exchanges) most = Math.max(most, connection.transport.writableLength)
      return outcomes.length === clients.length
    }),
  )
  t.ok(performance.now() - begin > timeout, 'the readers took longer than Timeout in all')
  t.same(outcomes, [true, true, true, true, true, true])
  t.ok(most <= 1024 * 1024 + 1000, `one block each, was ${most}`)
  const complete = size + head(200, size, false).length
  t.ok(await until(() => received.every((count) => count === complete)))
})

t.test('a client that stops reading is disconnected', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-http-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const size = 20 * 1024 * 1024
  writeFileSync(join(folder, 'file'), Buffer.alloc(size))
  const outcomes: boolean[] = []
  const { engine, port } = await serve(
    t,
    (exchange) => {
      const part = { fd: openSync(join(folder, 'file'), 'r'), start: 0, length: size, closeFd: true }
      exchange.sendFile(responseHead({ length: size }), [part], (complete) => outcomes.push(complete))
    },
    { timeout: 200 },
  )
  const client = new Client(t, port)
  client.socket.pause()
  client.socket.write(get('/'))
  t.ok(await until(() => outcomes.length === 1))
  t.same(outcomes, [false])
  t.ok(await until(() => engine.connections === 0))
})

t.test('a large response that closes the connection arrives completely although the client continues to send', async (t) => {
  const size = 1024 * 1024
  const { host, engine, port } = await serve(t, (exchange) => respond(exchange, 200, 'x'.repeat(size), false))
  const client = new Client(t, port)
  client.socket.pause()
  client.socket.write(get('/'))
  t.ok(await until(() => host.exchanges[0]?.answered === true && host.exchanges[0].connection.transport.writableLength === 0))
  await new Promise((sent) => client.socket.write(get('/next'), sent))
  client.socket.resume()
  t.ok(await until(() => client.ended || client.error !== ''))
  t.equal(client.error, '')
  t.equal(client.text.length, head(200, size, false).length + size)
  client.socket.end()
  t.ok(await until(() => engine.connections === 0))
})

t.test(
  'a request that came before KeepAliveTimeout was over is answered, also when the loop was blocked meanwhile',
  async (t) => {
    const { engine, host, port } = await serve(t, answerPlainly, { keepAliveTimeout: 300 })
    const client = new Client(t, port)
    client.socket.write(get('/first'))
    t.ok(await until(() => host.exchanges.length === 1))
    const answeredAt = engine.now
    while (engine.now < answeredAt + 200) await new Promise((resolve) => setImmediate(resolve))
    client.socket.write(get('/second'))
    const end = performance.now() + 400
    while (performance.now() < end);
    t.ok(await until(() => host.exchanges.length === 2 || client.ended))
    t.equal(host.exchanges.at(-1)?.target, '/second')
  },
)
