import { once } from 'node:events'
import { createSecureServer, type ServerHttp2Stream } from 'node:http2'
import { createServer, type TlsOptions } from 'node:tls'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import proxyHttp2 from '../../mod_proxy_http2/src/index.ts'
import ssl from '../src/index.ts'
import { makeAuthority, makeCertificate } from './support/made-certificates.ts'

const modules = [authzCore, ssl, proxy, proxyHttp2]
const authority = makeAuthority({ name: 'Authority' })
const stranger = makeAuthority({ name: 'Stranger' })

const VERIFY = 'SSLProxyEngine on\nSSLProxyVerify require\nSSLProxyCACertificateFile conf/ca.crt\n'

function certificate(issuer: typeof authority, host: string): TlsOptions {
  const made = makeCertificate({ name: 'back end', issuer, hosts: [host] })
  return { cert: made.pem, key: made.keyPem }
}

/** A back end by TLS: Node's own HTTP/2. */
async function backEnd(
  t: Test,
  options: TlsOptions,
): Promise<{ readonly port: number; readonly seen: string[]; sessions(): number }> {
  const seen: string[] = []
  let sessions = 0
  const server = createSecureServer(options)
  server.on('session', () => {
    sessions++
  })
  server.on('stream', (stream: ServerHttp2Stream, fields) => {
    seen.push(`${fields[':scheme']} ${fields[':authority']} ${fields[':path']}`)
    let length = 0
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
    })
    stream.on('end', () => {
      stream.respond({ ':status': 200, 'x-length': length })
      stream.end(Buffer.alloc(300_000, 'y'))
    })
  })
  server.on('sessionError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, seen, sessions: () => sessions }
}

async function front(t: Test, config: string): Promise<Awaited<ReturnType<typeof site>>> {
  const server = await site({ modules, config, files: { 'conf/ca.crt': authority.pem } })
  t.teardown(() => server.close())
  return server
}

t.test('a back end by TLS gets requests and long bodies, on one connection', async (t) => {
  const back = await backEnd(t, certificate(authority, 'localhost'))
  const server = await front(t, `${VERIFY}ProxyPass / h2://localhost:${back.port}/`)
  t.match(await server.inject('/a'), { status: 200 })
  const response = await server.inject({ method: 'POST', target: '/b', body: 'x'.repeat(300_000) })
  t.match(response, { status: 200 })
  t.equal(response.header('X-Length'), '300000')
  t.equal(response.body.length, 300_000)
  t.same(back.seen, [`https localhost:${back.port} /a`, `https localhost:${back.port} /b`])
  t.equal(back.sessions(), 1)
})

t.test('a back end is asked by TLS only where SSLProxyEngine says so', async (t) => {
  const back = await backEnd(t, certificate(authority, 'localhost'))
  const server = await front(t, `ProxyPass / h2://localhost:${back.port}/`)
  t.match(await server.inject('/a'), { status: 500 })
  t.ok(server.errors().some((line) => line.includes(`AH00961: H2: failed to enable ssl support for localhost:${back.port}`)))
  t.same(back.seen, [])
})

t.test('a back end that cannot prove its name gets no request', async (t) => {
  for (const options of [certificate(stranger, 'localhost'), certificate(authority, 'other.test')]) {
    const back = await backEnd(t, options)
    const server = await front(t, `${VERIFY}ProxyPass / h2://localhost:${back.port}/`)
    t.match(await server.inject('/'), { status: 503 })
    t.ok(server.errors().some((line) => line.includes(`TLS handshake with localhost:${back.port} failed`)))
    t.same(back.seen, [])
  }
})

t.test('a back end that does not choose HTTP/2 in the handshake gets no request', async (t) => {
  let received = ''
  const server = createServer(certificate(authority, 'localhost'), (socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      received += String(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const site = await front(t, `${VERIFY}ProxyPass / h2://localhost:${port}/`)
  t.match(await site.inject('/'), { status: 503 })
  t.ok(site.errors().some((line) => line.includes('does not choose h2')))
  t.equal(received, '')
})
