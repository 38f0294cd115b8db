import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import proxyHttp from '../../mod_proxy_http/src/index.ts'
import proxyWsTunnel from '../src/index.ts'

const modules = [authzCore, proxy, proxyHttp, proxyWsTunnel]
const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX: 1\r\n\r\n'

/** A back end that replies to each head with the same bytes, and echoes what follows. */
async function echoing(t: Test, reply: string): Promise<{ readonly port: number; readonly seen: string[] }> {
  const seen: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.setEncoding('latin1')
    socket.once('data', (head) => {
      seen.push(String(head))
      socket.write(reply)
      socket.on('data', (text) => socket.end(`echo ${String(text)}`))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, seen }
}

async function talk(port: number, upgrade: string, more = '', body = 'hello'): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  let got = ''
  socket.on('data', (part) => {
    if (got === '') socket.write(body)
    got += String(part)
  })
  socket.write(`GET /ws/a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n${upgrade}${more}\r\n`)
  await once(socket, 'close')
  return got
}

const CLOSES = 'Connection: close\r\n'

t.test('without the fallback, what the back end says is passed on as it is', async (t) => {
  const { port, seen } = await echoing(t, UPGRADE)
  const config = `ProxyWebsocketFallbackToProxyHttp Off\nProxyPass /ws ws://127.0.0.1:${port}/in`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  const own = await server.listen()
  t.equal(await talk(own, 'Upgrade: websocket\r\n'), `${UPGRADE}echo hello`)
  t.match(seen[0], /^GET \/in\/a HTTP\/1\.1\r\n[\s\S]*\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n\r\n$/)
  t.notMatch(seen[0], /\r\nExpect:/)
  t.match(await talk(own, 'Upgrade: other\r\n', CLOSES), /^HTTP\/1\.1 426 [\s\S]*\r\nUpgrade: WebSocket\r\n/)
  t.match(await talk(own, '', CLOSES), /^HTTP\/1\.1 404 /)
  t.match(await talk(own, 'Upgrade: websocket\r\n', `Content-Length: 5\r\n${CLOSES}`), /^HTTP\/1\.1 400 /)
  t.equal(seen.length, 1)
})

t.test('with the fallback, mod_proxy_http reads the reply', async (t) => {
  const { port } = await echoing(t, UPGRADE.replace('websocket', 'else'))
  const server = await site({ modules, config: `ProxyPass /ws ws://127.0.0.1:${port}/in` })
  t.teardown(() => server.close())
  t.match(await talk(await server.listen(), 'Upgrade: websocket\r\n', CLOSES), /^HTTP\/1\.1 502 /)
  t.ok(server.errors().some((line) => line.includes('Unexpected Upgrade: else (expecting websocket)')))
})

t.test('a section may switch the fallback off', async (t) => {
  const { port, seen } = await echoing(t, 'HTTP/1.1 403 No\r\n\r\n')
  const config = `<Location /ws>
ProxyWebsocketFallbackToProxyHttp Off
ProxyPass ws://127.0.0.1:${port}/in
</Location>`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  t.equal(await talk(await server.listen(), 'Upgrade: websocket\r\n'), 'HTTP/1.1 403 No\r\n\r\necho hello')
  t.match(seen[0], /\r\nUpgrade: WebSocket\r\n/)
})
