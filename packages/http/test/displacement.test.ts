import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { HttpEngine, MemoryTransport } from '@gatewright/http'
import t from 'tap'
import type { Http1Exchange } from '../src/http1/exchange.ts'
import { answerPlainly, get, type Handler, responseHead, SETTINGS, TestHost, until } from './harness.ts'

const GREEDY = '192.0.2.1'
const OTHER = '198.51.100.1'
const NEWCOMER = '203.0.113.1'

/** An engine whose clock the test sets. */
class Place {
  readonly engine: HttpEngine

  constructor(handler: Handler = answerPlainly) {
    this.engine = new HttpEngine(new TestHost({}, handler))
  }

  /** A connection that has received `bytes`. */
  client(remoteAddress: string, bytes = ''): MemoryTransport {
    const transport = new MemoryTransport({ remoteAddress })
    this.engine.inject(transport)
    transport.feed(bytes)
    return transport
  }

  clients(count: number, remoteAddress: string, bytes = ''): MemoryTransport[] {
    return Array.from({ length: count }, () => this.client(remoteAddress, bytes))
  }

  /** Simulates the timer for so many ms. */
  pass(ms: number): void {
    this.engine.now += ms - 1
    this.engine.tick()
  }
}

const idle = get('/')
const half = 'GET / HTTP/1.1\r\nHost: lo'

t.test('a new connection replaces an idle one of the client with the most connections', async (t) => {
  const place = new Place()
  const greedy = place.clients(3, GREEDY, idle)
  const modest = place.clients(2, OTHER, idle)
  t.strictSame(place.engine.displaceFor(NEWCOMER), { from: { group: GREEDY, count: 3 }, by: { group: NEWCOMER, count: 0 } })
  t.equal(place.engine.connections, 4, 'it is off the books at once')
  t.equal(greedy.filter(({ closed }) => closed).length, 1)
  t.notOk(modest.some(({ closed }) => closed))
})

t.test('a client with as many connections as any other gets no replacement', async (t) => {
  const place = new Place()
  place.clients(3, GREEDY, idle)
  place.clients(3, OTHER, idle)
  t.equal(place.engine.displaceFor(GREEDY), null)
  t.equal(place.engine.displaceFor(OTHER), null)
  t.equal(place.engine.connections, 6)
})

t.test('addresses of one IPv6 network are one client', async (t) => {
  const place = new Place()
  for (let host = 1; host <= 3; host++) place.client(`2001:db8::${host}`, idle)
  t.equal(place.engine.displaceFor('2001:db8::4'), null)
  t.match(place.engine.displaceFor('2001:db8:0:1::4'), { from: { group: '2001:db8:0:0::/64', count: 3 } })
})

t.test('the longest idle connection is replaced first', async (t) => {
  const place = new Place()
  const late = place.client(GREEDY, idle)
  place.pass(300)
  const later = place.client(GREEDY, idle)
  place.pass(300)
  late.feed(idle)
  place.engine.displaceFor(NEWCOMER)
  t.same([late.closed, later.closed], [false, true])
})

t.test('idle connections go before half heads, half heads before clients that take nothing', async (t) => {
  const place = new Place()
  const reader = place.client(GREEDY)
  reader.stall()
  reader.feed(idle)
  const sender = place.client(GREEDY, half)
  place.pass(1100)
  place.pass(1100)
  place.pass(1100)
  const waiting = place.client(GREEDY, idle)
  const closed: boolean[][] = []
  for (let newcomer = 1; newcomer <= 3; newcomer++) {
    t.not(place.engine.displaceFor(`203.0.113.${newcomer}`), null)
    closed.push([waiting.closed, sender.closed, reader.closed])
  }
  t.same(closed, [
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ])
})

t.test('a connection that has just been made, and a head that has just begun, are left in peace', async (t) => {
  const place = new Place()
  place.client(GREEDY)
  place.client(GREEDY, half)
  t.equal(place.engine.displaceFor(NEWCOMER), null)
  place.pass(1100)
  t.not(place.engine.displaceFor(NEWCOMER), null)
  t.not(place.engine.displaceFor(NEWCOMER), null)
  t.equal(place.engine.connections, 0)
})

t.test('a request that the server works for is never displaced, and the next greediest pays', async (t) => {
  const place = new Place((exchange) => {
    if (exchange.target === '/quick') answerPlainly(exchange)
  })
  const working = place.clients(5, GREEDY, get('/slow'))
  const idling = place.clients(2, OTHER, get('/quick'))
  place.pass(5000)
  t.match(place.engine.displaceFor(NEWCOMER), { from: { group: OTHER, count: 2 } })
  t.notOk(working.some(({ closed }) => closed))
  t.equal(idling.filter(({ closed }) => closed).length, 1)
})

t.test('a client that receives its response fast keeps its connection, a slow one does not', async (t) => {
  const answers: Http1Exchange[] = []
  const place = new Place((exchange) => {
    exchange.begin(responseHead({ length: 10_000_000 }))
    answers.push(exchange)
  })
  const [fast, slow] = place.clients(2, GREEDY, idle)
  const second = (bytes: number, exchange: Http1Exchange, client: MemoryTransport): void => {
    client.unstall()
    client.stall()
    exchange.write(Buffer.alloc(bytes))
  }
  // The heads are sent at the end of this turn.
  await setImmediate()
  for (let look = 0; look < 5; look++) {
    second(100_000, answers[0], fast)
    second(100, answers[1], slow)
    place.pass(1100)
  }
  t.match(place.engine.displaceFor(NEWCOMER), { from: { group: GREEDY, count: 2 } })
  t.same([fast.closed, slow.closed], [false, true])
  place.client(GREEDY, idle)
  t.equal(place.engine.displaceFor(NEWCOMER), null)
})

t.test('a slowly arriving body is displaced once its rate is known', async (t) => {
  const aborted: string[] = []
  const place = new Place((exchange) => {
    exchange.whenGone(() => void aborted.push(exchange.target))
    exchange.receivedAtUs -= 5e6
    answerPlainly(exchange)
  })
  place.client(GREEDY, 'POST /form HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nx=1&')
  t.match(place.engine.displaceFor(NEWCOMER), { from: { count: 1 } })
  t.same(aborted, ['/form'], 'whoever works for it hears of it')
})

t.test('many newcomers are served from one walk, and each of many equal clients gives one connection', async (t) => {
  const place = new Place()
  for (let client = 0; client < 200; client++) place.clients(2, `192.0.2.${client}`, idle)
  const losers = new Set<string>()
  for (let newcomer = 0; newcomer < 200; newcomer++) {
    losers.add(place.engine.displaceFor(`203.0.113.${newcomer}`)?.from.group ?? '')
    place.client(`203.0.113.${newcomer}`, idle)
  }
  t.equal(losers.size, 200)
  t.equal(place.engine.connections, 400)
})

t.test('what was found for others is kept from a client that holds as much itself', async (t) => {
  const place = new Place()
  place.clients(9, GREEDY, idle)
  t.not(place.engine.displaceFor(NEWCOMER), null)
  place.clients(8, OTHER, idle)
  t.equal(place.engine.displaceFor(OTHER), null)
  t.match(place.engine.displaceFor(NEWCOMER), { from: { count: 8 } })
})

t.test('no client is recorded after all connections have closed, however they ended', async (t) => {
  const engine = new HttpEngine(new TestHost(SETTINGS))
  const server = createServer({ allowHalfOpen: true }, (socket) => engine.accept(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const sockets: Socket[] = []
  for (let client = 1; client <= 4; client++) {
    const socket = dial({ host: '127.0.0.1', port, localAddress: `127.0.0.${client}` })
    socket.on('error', () => undefined).resume()
    await once(socket, 'connect')
    sockets.push(socket)
  }
  t.ok(await until(() => engine.clients === 4))
  sockets[0]?.end(get('/'))
  sockets[1]?.resetAndDestroy()
  sockets[2]?.write(half)
  sockets[3]?.write(get('/'))
  t.ok(await until(() => engine.clients === 2))
  sockets[2]?.destroy()
  t.ok(await until(() => engine.clients === 1))
  t.equal(engine.displaceFor(NEWCOMER)?.from.group, '127.0.0.4')
  t.same([engine.clients, engine.connections], [0, 0])
  if (sockets[3]?.closed === false) await once(sockets[3], 'close')
  t.same([engine.clients, engine.connections], [0, 0], 'the end of its socket is not counted again')
})
