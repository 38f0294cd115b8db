import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type ClientHttp2Session, connect, createServer as createHttp2Server } from 'node:http2'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { until } from '../../../test/fixtures/until.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import logConfig from '../../mod_log_config/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import proxyHttp from '../../mod_proxy_http/src/index.ts'
import proxyHttp2 from '../../mod_proxy_http2/src/index.ts'
import http2 from '../src/index.ts'

interface Backend {
  readonly port: number
  readonly heads: string[]
  /** Resolves when the backend's connections have closed. */
  ended(): Promise<void>
}

/** A backend that accepts WebSockets and sends back what it receives, in capitals; `/plain` is no WebSocket. */
async function backend(t: Test): Promise<Backend> {
  const heads: string[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let head = ''
    let isOpen = false
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      if (isOpen) return void socket.write(chunk.toString('latin1').toUpperCase())
      head += chunk.toString('latin1')
      if (!head.includes('\r\n\r\n')) return
      heads.push(head)
      if (head.startsWith('GET /plain')) return void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno')
      isOpen = true
      const key = /^sec-websocket-key: (.*)\r$/im.exec(head)?.[1] ?? ''
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: chat\r\n\r\n`,
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const ended = async (): Promise<void> => {
    for (const socket of sockets) if (!socket.closed) await once(socket, 'close')
  }
  return { port: address.port, heads, ended }
}

async function open(t: Test, port: number, more = 'H2WebSockets on'): Promise<ClientHttp2Session> {
  const server = await site({
    modules: [authzCore, http2, proxy, proxyHttp],
    config: `Protocols h2c http/1.1\n${more}\nProxyPass /ws ws://127.0.0.1:${port}/ws\nProxyPass /plain http://127.0.0.1:${port}/plain\n<Location /ws/no>\nRequire all denied\n</Location>`,
    files: { 'docs/f.txt': 'text' },
  })
  t.teardown(() => server.close())
  const session = connect(`http://127.0.0.1:${await server.listen()}`)
  t.teardown(() => session.destroy())
  await once(session, 'remoteSettings')
  return session
}

function ask(session: ClientHttp2Session, path: string, authority = 'localhost'): ReturnType<ClientHttp2Session['request']> {
  return session.request({
    ':method': 'CONNECT',
    ':protocol': 'websocket',
    ':path': path,
    ':authority': authority,
    ':scheme': 'http',
  })
}

async function statusOf(session: ClientHttp2Session, path: string, authority?: string): Promise<unknown> {
  const stream = ask(session, path, authority)
  const [head] = await once(stream, 'response')
  stream.resume()
  stream.close()
  return head[':status']
}

t.test(
  'a WebSocket over HTTP/2 reaches its backend by the proxy, several on one connection, and ends with its client',
  async (t) => {
    const { port, heads, ended } = await backend(t)
    const session = await open(t, port)
    t.equal(session.remoteSettings.enableConnectProtocol, true)
    const streams = [ask(session, '/ws/a'), ask(session, '/ws/b')]
    const responses = streams.map((stream) => once(stream, 'response'))
    for (const [index, stream] of streams.entries()) {
      const [head] = await responses[index]
      t.equal(head[':status'], 200)
      t.equal(head['sec-websocket-protocol'], 'chat')
      t.equal(head['sec-websocket-accept'], undefined)
      stream.write(`hello ${index}`)
      const [received] = await once(stream, 'data')
      t.equal(String(received), `HELLO ${index}`)
    }
    t.match(heads[0], /^GET \/ws\/a HTTP\/1\.1\r\n/)
    t.match(heads[0], /\r\nConnection: Upgrade\r\n|\r\nUpgrade: websocket\r\n/i)
    // A client may end its side, or give the stream up.
    streams[0].end()
    streams[0].resume()
    streams[1].close(8)
    await Promise.all([once(streams[0], 'end'), ended()])
    t.equal(streams[0].rstCode, 0)
  },
)

t.test('access rules apply to WebSockets, and what is none is refused', async (t) => {
  const { port } = await backend(t)
  const session = await open(t, port)
  t.equal(await statusOf(session, '/ws/no'), 403)
  t.equal(await statusOf(session, '/plain/a'), 502)
  t.equal(await statusOf(session, '/f.txt'), 502)
  t.equal(await statusOf(session, '/absent'), 404)
})

t.test('a WebSocket to a backend of HTTP/2 is refused, and logged so', async (t) => {
  const plain = createHttp2Server((_request, response) => response.end('no tunnel'))
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  t.teardown(() => void plain.close())
  const address = plain.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const log = join(t.testdir(), 'access.log')
  const server = await site({
    modules: [authzCore, http2, logConfig, proxy, proxyHttp2],
    config: `Protocols h2c http/1.1\nH2WebSockets on\nCustomLog "${log}" "%r %>s"\nProxyPass / h2c://127.0.0.1:${address.port}/`,
  })
  t.teardown(() => server.close())
  const session = connect(`http://127.0.0.1:${await server.listen()}`)
  t.teardown(() => session.destroy())
  await once(session, 'remoteSettings')
  t.equal(await statusOf(session, '/a'), 502)
  const ordinary = session.request({ ':path': '/b' })
  ordinary.resume()
  t.equal((await once(ordinary, 'response'))[0][':status'], 200)
  await once(ordinary, 'close')
  await until('the requests are logged', () => readFileSync(log, 'utf8').split('\n').length > 2)
  t.equal(readFileSync(log, 'utf8'), 'GET /a HTTP/2.0 502\nGET /b HTTP/2.0 200\n')
})

t.test('without H2WebSockets, clients are not offered WebSockets', async (t) => {
  const { port } = await backend(t)
  const session = await open(t, port, '')
  t.not(session.remoteSettings.enableConnectProtocol, true)
})

t.test('a host without H2WebSockets refuses those of a connection that another host began', async (t) => {
  const { port, heads } = await backend(t)
  const pass = `ProxyPass /ws ws://127.0.0.1:${port}/ws`
  const hosts = `<VirtualHost *>\nServerName localhost\nH2WebSockets on\n${pass}\n</VirtualHost>
<VirtualHost *>\nServerName other\nH2WebSockets off\n${pass}\n</VirtualHost>`
  const session = await open(t, port, hosts)
  t.equal(await statusOf(session, '/ws/a'), 200)
  t.equal(await statusOf(session, '/ws/a', 'other'), 501)
  t.equal(await statusOf(session, '/absent', 'other'), 501)
  t.equal(heads.length, 1)
})
