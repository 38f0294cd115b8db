import { createHash } from 'node:crypto'
import t from 'tap'
import type { Http2Exchange } from '../src/index.ts'
import { answerPlainly, answers, describe, type Field, FrameClient, headOf } from './support/client.ts'

const CONNECT: readonly Field[] = [
  [':method', 'CONNECT'],
  [':protocol', 'websocket'],
  [':scheme', 'http'],
  [':path', '/chat'],
  [':authority', 'localhost'],
]

function connect(client: FrameClient, stream: number, fields: readonly Field[] = CONNECT): void {
  client.send(1, 4, stream, client.block(fields))
}

function openingFor(exchange: Http2Exchange, accept?: string): string {
  const key = exchange.fields.get('sec-websocket-key') ?? ''
  const hash = accept ?? createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${hash}\r\nX-A: a\r\nConnection: Upgrade\r\n\r\n`
}

const IGNORE = { onData: (): void => {}, onEnd: (): void => {}, onError: (): void => {} }

t.test('an extended CONNECT for a WebSocket is a GET with the handshake of HTTP/1.1, and its stream a tunnel', async (t) => {
  const received: string[] = []
  const client = FrameClient.begun(
    (exchange) => {
      const { onError } = IGNORE
      const onData = (chunk: Buffer): void => void received.push(chunk.toString())
      t.ok(exchange.beginTunnel(openingFor(exchange), { onData, onEnd: () => void received.push('end'), onError }))
      exchange.write('from the server')
    },
    { webSockets: true },
  )
  connect(client, 1)
  client.send(0, 0, 1, 'from the client')
  t.same(await answers(client), ['HEADERS 1 200', 'DATA 1 "from the server"'])
  const head = client.seen.find(({ type }) => type === 1)
  t.same(head?.fields, [
    [':status', '200'],
    ['x-a', 'a'],
  ])
  const [exchange] = client.exchanges
  t.equal(exchange.requestLine, 'GET /chat HTTP/2.0')
  t.match(exchange.fields.get('sec-websocket-key'), /^[\w+/]{22}==$/)
  t.equal(exchange.hasBody, false)
  client.send(0, 1, 1, 'last')
  exchange.finish('', null)
  t.same(await answers(client), ['DATA 1 "" end'])
  t.same(received, ['from the client', 'last', 'end'])
})

t.test('a tunnel that its backend does not accept as the key requires is answered with 502', async (t) => {
  const client = FrameClient.begun(
    (exchange) => {
      t.throws(() => exchange.beginTunnel(openingFor(exchange, 'wrong'), IGNORE), /does not match the key/)
    },
    { webSockets: true },
  )
  connect(client, 1)
  t.same(await answers(client), ['HEADERS 1 502 end', 'RST_STREAM 1 0'])
  t.match(client.reports, [
    'warn: websocket CONNECT, got 101 response with a Sec-WebSocket-Accept header that does not match the key',
  ])
})

t.test('a response of success that is no tunnel is replaced by 502, and errors are sent as they are', async (t) => {
  const client = FrameClient.begun(answerPlainly, { webSockets: true })
  connect(client, 1)
  t.same(await answers(client), ['HEADERS 1 502 end', 'RST_STREAM 1 0'])
  client.handler = (exchange) => exchange.respond(headOf(403), 'no', null)
  connect(client, 3)
  t.same(await answers(client), ['HEADERS 3 403', 'DATA 3 "no" end', 'RST_STREAM 3 0'])
  client.handler = (exchange) => {
    exchange.begin(headOf(200))
    exchange.write('text')
    exchange.finish('', null)
  }
  connect(client, 5)
  t.same(await answers(client), ['HEADERS 5 502 end', 'RST_STREAM 5 0'])
})

t.test(
  'other protocols are not implemented, and without the setting an extended CONNECT is an error of its stream',
  async (t) => {
    const client = FrameClient.begun(answerPlainly, { webSockets: true })
    const other = CONNECT.map(([name, value]): Field => [name, name === ':protocol' ? 'tea' : value])
    connect(client, 1, other)
    t.same(await answers(client), ['HEADERS 1 501 end', 'RST_STREAM 1 0'])
    t.equal(client.exchanges[0].requestLine, 'CONNECT /chat HTTP/2.0')
    const without = FrameClient.begun(answerPlainly)
    connect(without, 1)
    t.same(await answers(without), ['RST_STREAM 1 1'])
    t.equal(without.seen.map(describe).includes('SETTINGS'), true)
  },
)

const PLAIN: readonly Field[] = [
  [':method', 'CONNECT'],
  [':authority', 'backend.test:25'],
]

t.test('CONNECT without a protocol opens a tunnel where the host begins one, with the fields of its response', async (t) => {
  const received: string[] = []
  const client = FrameClient.begun((exchange) => {
    const onData = (chunk: Buffer): void => void received.push(chunk.toString())
    const opening = 'HTTP/1.0 200 Connection Established\r\nProxy-agent: test\r\n\r\n'
    t.ok(exchange.beginTunnel(opening, { onData, onEnd: () => void received.push('end'), onError: IGNORE.onError }))
    exchange.write('220 ready')
  })
  connect(client, 1, PLAIN)
  client.send(0, 0, 1, 'HELO')
  t.same(await answers(client), ['HEADERS 1 200', 'DATA 1 "220 ready"'])
  t.same(client.seen.find(({ type }) => type === 1)?.fields, [
    [':status', '200'],
    ['proxy-agent', 'test'],
  ])
  const [exchange] = client.exchanges
  t.match(exchange, { requestLine: 'CONNECT backend.test:25 HTTP/2.0', hasBody: false, contentLength: -1 })
  t.equal(exchange.fields.get('transfer-encoding'), undefined)
  client.send(0, 1, 1, 'QUIT')
  exchange.finish('', null)
  t.same(await answers(client), ['DATA 1 "" end'])
  t.same(received, ['HELO', 'QUIT', 'end'])
})

t.test('CONNECT that the host refuses, or answers as if it were a page, begins no tunnel', async (t) => {
  const client = FrameClient.begun((exchange) => exchange.respond(headOf(405), 'no', null))
  connect(client, 1, PLAIN)
  t.same(await answers(client), ['HEADERS 1 405', 'DATA 1 "no" end', 'RST_STREAM 1 0'])
  client.handler = answerPlainly
  connect(client, 3, PLAIN)
  t.same(await answers(client), ['HEADERS 3 502 end', 'RST_STREAM 3 0'])
  client.handler = (exchange) => {
    t.throws(() => exchange.beginTunnel('HTTP/1.1 407 Who are you\r\n\r\n', IGNORE), /a response without a head/)
  }
  connect(client, 5, PLAIN)
  t.same(await answers(client), ['HEADERS 5 502 end', 'RST_STREAM 5 0'])
  t.match(client.reports.slice(-1), ['warn: CONNECT, got a response without a head'])
})

t.test('with requests for a proxy, the target is absolute, and its host is judged', async (t) => {
  const client = FrameClient.begun(answerPlainly, { proxyRequests: true })
  const ask = (stream: number, authority: string, path = '/a?b', more: readonly Field[] = []): void => {
    const pseudo: Field[] = [
      [':method', path === '*' ? 'OPTIONS' : 'GET'],
      [':scheme', 'http'],
      [':path', path],
      [':authority', authority],
    ]
    client.send(1, 5, stream, client.block([...pseudo, ...more]))
  }
  ask(1, 'other.test:8080')
  ask(3, 'user@other.test')
  ask(5, 'localhost', '*')
  connect(client, 7, PLAIN)
  await answers(client)
  t.match(client.exchanges, [
    { requestLine: 'GET http://other.test:8080/a?b HTTP/2.0', hostname: 'other.test', hostPort: 8080, refusal: null },
    { refusal: { status: 400 } },
    { requestLine: 'OPTIONS http://localhost* HTTP/2.0', refusal: { status: 400 } },
    { requestLine: 'CONNECT backend.test:25 HTTP/2.0', refusal: null },
  ])
})
