import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import proxyHttp from '../../mod_proxy_http/src/index.ts'
import ssl from '../src/index.ts'
import { type Made, makeAuthority, makeCertificate } from './support/made-certificates.ts'
import { fixture } from './support.ts'

const modules = [authzCore, ssl, proxy, proxyHttp]
const authority = makeAuthority({ name: 'Authority' })
const stranger = makeAuthority({ name: 'Stranger' })
const PAST = { from: Date.UTC(2020, 0), until: Date.UTC(2021, 0) }

/** A back end by TLS that notes the name, the client and the first line of each request. */
interface SecuredBackEnd {
  readonly port: number
  readonly seen: string[]
  readonly connections: () => number
}

function certificate(issuer: Made, hosts: readonly string[], dates = {}): TlsOptions {
  const made = makeCertificate({ name: 'back end', issuer, hosts, ...dates })
  return { cert: made.pem, key: made.keyPem }
}

async function backEnd(t: Test, options: TlsOptions): Promise<SecuredBackEnd> {
  const seen: string[] = []
  let connections = 0
  const server = createTlsServer(options, (socket) => {
    connections++
    socket.on('error', () => {})
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      const { subject } = socket.getPeerCertificate()
      seen.push(`${String(socket.servername)} ${subject?.CN ?? 'nobody'} ${String(text).split('\r\n', 1)[0]}`)
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')
    })
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, seen, connections: () => connections }
}

async function front(t: Test, config: string, files: Record<string, string> = {}): Promise<Awaited<ReturnType<typeof site>>> {
  const server = await site({ modules, config, files: { 'conf/ca.crt': authority.pem, ...files } })
  t.teardown(() => server.close())
  return server
}

const VERIFY = 'SSLProxyEngine on\nSSLProxyVerify require\nSSLProxyCACertificateFile conf/ca.crt\n'

t.test('a back end is asked by TLS only where SSLProxyEngine says so', async (t) => {
  const { port, seen } = await backEnd(t, certificate(authority, ['localhost']))
  const off = await front(t, `ProxyPass / https://localhost:${port}/`)
  t.match(await off.inject('/a'), { status: 500 })
  t.ok(
    off.errors().some((line) => line.includes(`AH00961: https: failed to enable ssl support for 127.0.0.1:${port} (localhost)`)),
  )
  t.same(seen, [])
  const on = await front(t, `SSLProxyEngine on\nProxyPass / https://localhost:${port}/`)
  t.match(await on.inject('/a'), { status: 200, body: 'hi' })
  t.same(seen, ['localhost nobody GET /a HTTP/1.1'])
})

t.test('without a module for TLS nobody serves https', async (t) => {
  const server = await site({ modules: [authzCore, proxy, proxyHttp], config: 'ProxyPass / https://localhost:1/' })
  t.teardown(() => server.close())
  t.match(await server.inject('/'), { status: 500 })
  t.ok(server.errors().some((line) => line.includes("AH01144: No protocol handler was valid for the URL / (scheme 'https')")))
})

t.test('a back end that cannot prove its name gets no request', async (t) => {
  const cases: readonly (readonly [TlsOptions, string])[] = [
    [certificate(stranger, ['localhost']), 'AH02039: Certificate Verification: Error (20)'],
    [certificate(authority, ['other.test']), 'AH00898: Error during SSL Handshake'],
    [certificate(authority, ['localhost'], PAST), 'AH02039: Certificate Verification: Error (10)'],
  ]
  for (const [options, text] of cases) {
    const { port, seen } = await backEnd(t, options)
    const server = await front(t, `${VERIFY}ProxyPass / https://localhost:${port}/`)
    t.match(await server.inject('/'), { status: 500 })
    t.ok(
      server.errors().some((line) => line.includes(text)),
      text,
    )
    t.same(seen, [])
  }
  const { port, seen } = await backEnd(t, certificate(authority, ['localhost']))
  const server = await front(t, `${VERIFY}ProxyPass / https://localhost:${port}/`)
  t.match(await server.inject('/'), { status: 200 })
  t.equal(seen.length, 1)
})

t.test('names and dates are checked without authorities, unless that is switched off', async (t) => {
  const { port, seen } = await backEnd(t, certificate(stranger, ['other.test'], PAST))
  const line = `ProxyPass / https://localhost:${port}/`
  const strict = await front(t, `SSLProxyEngine on\n${line}`)
  t.match(await strict.inject('/'), { status: 500 })
  const named = await front(t, `SSLProxyEngine on\nSSLProxyCheckPeerExpire off\n${line}`)
  t.match(await named.inject('/'), { status: 500 })
  t.same(seen, [])
  const lax = await front(t, `SSLProxyEngine on\nSSLProxyCheckPeerExpire off\nSSLProxyCheckPeerName off\n${line}`)
  t.match(await lax.inject('/'), { status: 200 })
})

t.test('a connection for one name serves no other name', async (t) => {
  const { port, seen, connections } = await backEnd(t, certificate(authority, ['a.test', 'b.test']))
  const server = await front(t, `${VERIFY}ProxyPreserveHost on\nProxyPass / https://localhost:${port}/`)
  const ask = async (host: string): Promise<number> => (await server.inject({ target: '/', headers: { Host: host } })).status
  t.equal(await ask('a.test'), 200)
  t.equal(await ask('b.test'), 200)
  t.equal(await ask('A.test:80'), 200)
  t.same(
    seen.map((line) => line.split(' ')[0]),
    ['a.test', 'b.test', 'a.test'],
  )
  t.equal(connections(), 2)
  t.equal(await ask('c.test'), 500)
  t.equal(seen.length, 3)
})

t.test('each Proxy section has its own settings', async (t) => {
  const good = await backEnd(t, certificate(authority, ['localhost']))
  const other = await backEnd(t, certificate(stranger, ['localhost']))
  const config = `SSLProxyEngine on
<Proxy https://localhost:${good.port}/>
SSLProxyVerify require
SSLProxyCACertificateFile conf/stranger.crt
</Proxy>
ProxyPass /good https://localhost:${good.port}/
ProxyPass /other https://localhost:${other.port}/`
  const server = await front(t, config, { 'conf/stranger.crt': stranger.pem })
  t.match(await server.inject('/good'), { status: 500 })
  t.match(await server.inject('/other'), { status: 200 })
})

t.test('a back end that asks for a certificate gets that of the machine', async (t) => {
  const demand = { requestCert: true, rejectUnauthorized: true, ca: fixture('ca.crt') }
  const { port, seen } = await backEnd(t, { ...certificate(authority, ['localhost']), ...demand })
  const config = `${VERIFY}SSLProxyMachineCertificateFile conf/machine.pem\nProxyPass / https://localhost:${port}/`
  const server = await front(t, config, { 'conf/machine.pem': fixture('alice.key') + fixture('alice.crt') })
  t.match(await server.inject('/'), { status: 200 })
  t.same(seen, ['localhost Alice Liddell GET / HTTP/1.1'])
})

t.test('a remote proxy leads to the back end, and sees nothing of the request', async (t) => {
  const { port, seen } = await backEnd(t, certificate(authority, ['localhost']))
  const asked: string[] = []
  const remote = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      asked.push(bytes.toString('latin1'))
      if (!bytes.toString('latin1').startsWith(`CONNECT localhost:${port} `)) return void socket.end('HTTP/1.0 403 No\r\n\r\n')
      const onward = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Yes\r\nX: 1\r\n\r\n'))
      onward.on('error', () => socket.destroy())
      socket.pipe(onward).pipe(socket)
    })
  })
  remote.listen(0, '127.0.0.1')
  await once(remote, 'listening')
  t.teardown(() => void remote.close())
  const address = remote.address()
  const remotePort = typeof address === 'object' && address !== null ? address.port : 0
  const config = `${VERIFY}ProxyRemote * http://127.0.0.1:${remotePort} user:secret
ProxyPass /ok https://localhost:${port}/
ProxyPass /no https://refused.test:${port}/`
  const server = await front(t, config)
  t.match(await server.inject({ target: '/ok', headers: { 'X-Secret': '1' } }), { status: 200 })
  t.match(
    asked[0],
    /^CONNECT localhost:\d+ HTTP\/1\.0\r\nProxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\nProxy-agent: [^\r\n]*\r\n\r\n$/,
  )
  t.same(seen, ['localhost nobody GET / HTTP/1.1'])
  t.match(await server.inject('/no'), { status: 503 })
  const log = server.errors().join('\n')
  t.match(log, /AH00950: send_http_connect: the remote proxy returned code is '403'/)
  t.match(log, /AH00958: https: attempt to connect to refused\.test:\d+ via http CONNECT through 127\.0\.0\.1:\d+/)
})

t.test('an upgrade to WebSocket goes through TLS', async (t) => {
  const server = createTlsServer(certificate(authority, ['localhost']), (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.on('data', (bytes) => socket.write(`echo ${bytes.toString('latin1')}`))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const proxied = await front(t, `${VERIFY}ProxyPass / wss://localhost:${port}/`)
  const client = connect(await proxied.listen(), '127.0.0.1')
  client.setEncoding('latin1')
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n')
  const [head] = await once(client, 'data')
  t.match(head, /^HTTP\/1\.1 101 /)
  t.notOk(client instanceof TLSSocket)
  client.write('x')
  const [echo] = await once(client, 'data')
  t.equal(echo, 'echo x')
  client.destroy()
})
