import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import proxyUwsgi from '../src/index.ts'
import { packetOf } from '../src/packet.ts'

const modules = [authzCore, proxy, proxyUwsgi]

interface Seen {
  readonly variables: ReadonlyMap<string, string>
  readonly body: string
}

/** A back end that replies as a test wants, when the whole request has arrived. */
async function backEnd(t: Test, reply: (socket: Socket) => void): Promise<{ readonly port: number; readonly seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    let bytes = Buffer.alloc(0)
    socket.on('data', (part) => {
      bytes = Buffer.concat([bytes, part])
      if (bytes.length < 4 || bytes.length < 4 + bytes.readUInt16LE(1)) return
      const end = 4 + bytes.readUInt16LE(1)
      const texts: string[] = []
      for (let at = 4; at < end; at += 2 + bytes.readUInt16LE(at)) {
        texts.push(bytes.toString('latin1', at + 2, at + 2 + bytes.readUInt16LE(at)))
      }
      const variables = new Map<string, string>()
      for (let index = 0; index + 1 < texts.length; index += 2) variables.set(texts[index], texts[index + 1])
      const body = bytes.toString('latin1', end)
      if (body.length < Number(variables.get('CONTENT_LENGTH') ?? 0)) return
      seen.push({ variables, body })
      reply(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, seen }
}

const endWith =
  (text: string) =>
  (socket: Socket): void =>
    void socket.end(text, 'latin1')

t.test('a packet has the lengths of names and values, and at most 64 KiB', (t) => {
  t.same(packetOf([['A', 'bc']]), Buffer.from([0, 7, 0, 0, 1, 0, 65, 2, 0, 98, 99]))
  t.equal(packetOf([['A', 'b'.repeat(65_536)]]), null)
  t.end()
})

t.test('the path is split at the URL of the worker, and credentials are passed on', async (t) => {
  const { port, seen } = await backEnd(t, endWith('HTTP/1.1 201 Made\r\nContent-Type: text/plain\r\n\r\nyes'))
  const server = await site({ modules, config: `ProxyPass /app/ uwsgi://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const headers = { 'Content-Length': '3', Proxy: 'evil', Authorization: 'Basic eDp5' }
  t.match(await server.inject({ method: 'POST', target: '/app/x%20y/z?q', headers, body: 'abc' }), { status: 201, body: 'yes' })
  const { variables, body } = seen[0]
  t.equal(body, 'abc')
  t.equal(variables.get('SCRIPT_NAME'), '/app')
  t.equal(variables.get('PATH_INFO'), '/x y/z')
  t.equal(variables.get('QUERY_STRING'), 'q')
  t.equal(variables.get('HTTP_AUTHORIZATION'), 'Basic eDp5')
  t.notOk(variables.has('HTTP_PROXY'))
})

t.test('requests without a length or with too many variables are refused, and nothing is sent', async (t) => {
  const { port, seen } = await backEnd(t, endWith('HTTP/1.1 200 OK\r\n\r\n'))
  const server = await site({ modules, config: `LimitRequestFieldSize 70000\nProxyPass / uwsgi://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const chunked = { 'Transfer-Encoding': 'chunked' }
  t.match(await server.inject({ method: 'POST', target: '/', headers: chunked, body: '0\r\n\r\n' }), { status: 411 })
  t.match(await server.inject({ target: '/', headers: { X: 'a'.repeat(66_000) } }), { status: 500 })
  t.ok(server.errors().some((line) => line.includes("AH10259: can't send headers to")))
  t.same(seen, [])
})

t.test('a response that is none is an error', async (t) => {
  for (const [text, status] of [
    ['', 500],
    ['garbage\r\n\r\n', 502],
    ['HTTP/1.1 200 OK\r\nno colon\r\n\r\n', 502],
    ['HTTP/1.1 200 OK\r\nX Y: 1\r\n\r\n', 502],
    ['HTTP/1.1 200 OK\r\nX: a', 502],
    ['Status: 200 OK\r\n\r\n', 502],
  ] as const) {
    const { port } = await backEnd(t, endWith(text))
    const server = await site({ modules, config: `ProxyPass / uwsgi://127.0.0.1:${port}/` })
    t.teardown(() => server.close())
    t.match(await server.inject('/'), { status }, JSON.stringify(text))
  }
})

t.test('fields of the connection are not relayed, and what follows the length is dropped', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\nConnection: x-hop\r\nX-Hop: 1\r\nUpgrade: y\r\nX-Kept: 2\r\nContent-Length: 2\r\n\r\n'
  const { port } = await backEnd(t, endWith(`${head}okHTTP/1.1 200 OK\r\n\r\n`))
  const server = await site({ modules, config: `ProxyPass / uwsgi://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const response = await server.inject('/')
  t.match(response, { status: 200, body: 'ok' })
  t.match(JSON.stringify(response.headers).toLowerCase(), /x-kept/)
  t.notMatch(JSON.stringify(response.headers).toLowerCase(), /x-hop|upgrade/)
})
