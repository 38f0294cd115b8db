import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { configError, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import proxyConnect from '../src/index.ts'

const modules = [authzCore, proxy, proxyConnect]

async function listening(t: Test, serve: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Sends bytes to a server until it closes. */
async function talk(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  let got = ''
  socket.on('data', (part) => {
    got += String(part)
  })
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return got
}

t.test('a client is led to a port that AllowCONNECT permits, and nothing else is sent there', async (t) => {
  const seen: string[] = []
  const port = await listening(t, (socket) => {
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      seen.push(String(text))
      socket.end('pong')
    })
  })
  const server = await site({ modules, config: `ProxyRequests On\nAllowCONNECT ${port}-${port}` })
  t.teardown(() => server.close())
  const own = await server.listen()
  const got = await talk(own, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic eDp5\r\n\r\nping`)
  t.match(got, /^HTTP\/1\.0 200 Connection Established\r\nProxy-agent: [^\r]+\r\n\r\npong$/)
  t.same(seen, ['ping'])
  const refused = await talk(own, 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  t.match(refused, /^HTTP\/1\.1 403 Proxy Error\r\n/)
})

t.test('only ports of TLS are permitted without AllowCONNECT, and targets that are none are refused', async (t) => {
  const server = await site({ modules, config: 'ProxyRequests On' })
  t.teardown(() => server.close())
  const own = await server.listen()
  for (const [target, status] of [
    ['127.0.0.1:80', 403],
    ['127.0.0.1:65536', 400],
    ['a@127.0.0.1:443', 400],
  ] as const) {
    const got = await talk(own, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.match(got, new RegExp(`^HTTP/1\\.1 ${status} `), target)
  }
})

t.test('without ProxyRequests nobody is led anywhere', async (t) => {
  let reached = false
  const port = await listening(t, () => {
    reached = true
  })
  const server = await site({ modules, config: `AllowCONNECT ${port}` })
  t.teardown(() => server.close())
  const got = await talk(await server.listen(), `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  t.match(got, /^HTTP\/1\.1 405 /)
  t.notOk(reached)
})

t.test('ProxyBlock applies to the addresses of a name', async (t) => {
  const port = await listening(t, (socket) => void socket.end('reached'))
  const config = `ProxyRequests On\nAllowCONNECT ${port}\nProxyBlock localhost`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  const got = await talk(await server.listen(), `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  t.match(got, /^HTTP\/1\.1 403 Proxy Error\r\n/)
  t.ok(
    server.errors().some((line) => line.includes('AH00917: connect to remote machine 127.0.0.1 blocked: IP 127.0.0.1 matched')),
  )
})

t.test('another proxy replies to the client itself', async (t) => {
  const asked: string[] = []
  const remote = await listening(t, (socket) => {
    socket.once('data', (bytes) => {
      asked.push(bytes.toString('latin1'))
      socket.end('HTTP/1.0 502 Elsewhere\r\n\r\n')
    })
  })
  const server = await site({ modules, config: `ProxyRequests On\nProxyRemote * http://127.0.0.1:${remote}` })
  t.teardown(() => server.close())
  const got = await talk(await server.listen(), 'CONNECT name.invalid:443 HTTP/1.1\r\nHost: x\r\n\r\n')
  t.equal(got, 'HTTP/1.0 502 Elsewhere\r\n\r\n')
  t.match(asked[0], /^CONNECT name\.invalid:443 HTTP\/1\.0\r\nProxy-agent: [^\r]+\r\n\r\n$/)
})

t.test('AllowCONNECT names what is wrong with a word', async (t) => {
  t.match(await configError({ modules, config: 'AllowCONNECT https' }), /AllowCONNECT: port numbers must be numeric/)
  t.match(await configError({ modules, config: 'AllowCONNECT 443x' }), /Cannot parse '443x' as port number/)
})
