import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type ConnectionOptions, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { type AnyModule, defineModule } from '@gatewright/api'
import { site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import rewrite from '../../mod_rewrite/src/index.ts'
import ssl from '../src/index.ts'
import { fixture, fixtures } from './support.ts'

const CONFIG = `LogLevel ssl:info
Header always set X-Verify "%{SSL_CLIENT_VERIFY}s"
Header always set X-Cipher "%{SSL_CIPHER}s"
SSLEngine on
SSLCertificateFile conf/localhost.crt
SSLCertificateKeyFile conf/localhost.key
SSLCACertificateFile conf/ca.crt
<Location "/require">
SSLVerifyClient require
SSLRenegBufferSize 100
</Location>
<Location "/optional">
SSLVerifyClient optional
</Location>
<Location "/any">
SSLVerifyClient optional_no_ca
</Location>
<Location "/shallow">
SSLVerifyDepth 1
</Location>
<Location "/strong">
SSLCipherSuite ECDHE-RSA-AES256-GCM-SHA384
</Location>
<Location "/unknown">
SSLCipherSuite NONSENSE
</Location>`

/** Answers every request with its body. */
const echo: AnyModule = defineModule({
  name: 'echo_module',
  source: 'mod_echo.c',
  register({ hooks }) {
    hooks.handler.add(async (request) => {
      let text = `${request.uri}:`
      for await (const chunk of request.readBody()) text += Buffer.from(chunk).toString('latin1')
      return request.send('text/plain', text)
    })
  },
})

async function serve(t: Test, more = ''): Promise<{ readonly server: TestServer; readonly port: number }> {
  const server = await site({
    modules: [authzCore, headers, rewrite, ssl, echo],
    config: `${CONFIG}\nKeepAliveTimeout 300\n${more}`,
    files: fixtures('localhost.crt', 'localhost.key', 'ca.crt', 'other-ca.crt'),
  })
  t.teardown(() => server.close())
  return { server, port: await server.listen() }
}

/** A client of TLS 1.2, unless it chooses otherwise, that sends requests one after another. */
class Client {
  readonly socket: TLSSocket
  #text = ''
  #closed = false
  #changed: () => void = () => undefined

  constructor(port: number, options: ConnectionOptions = {}) {
    const ca = fixture('ca.crt')
    this.socket = tlsConnect({ port, host: '127.0.0.1', servername: 'localhost', ca, maxVersion: 'TLSv1.2', ...options })
    this.socket.on('data', (bytes: Buffer) => {
      this.#text += bytes.toString('latin1')
      this.#changed()
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => {
      this.#closed = true
      this.#changed()
    })
  }

  /** The next answer, '' if the connection closes instead. */
  async ask(path: string, more = '', body = ''): Promise<string> {
    this.socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`)
    return await this.next()
  }

  /** An interim response. */
  async interim(): Promise<string> {
    while (!this.#text.includes('\r\n\r\n') && !this.#closed) await this.#change()
    const end = this.#text.indexOf('\r\n\r\n') + 4
    const answer = this.#text.slice(0, end)
    this.#text = this.#text.slice(end)
    return answer
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve
    })
  }

  async next(): Promise<string> {
    for (;;) {
      const found = /^HTTP[\s\S]*?Content-Length: (\d+)[\s\S]*?\r\n\r\n/.exec(this.#text)
      if (found !== null && this.#text.length >= found[0].length + Number(found[1])) {
        const answer = this.#text.slice(0, found[0].length + Number(found[1]))
        this.#text = this.#text.slice(answer.length)
        return answer
      }
      if (this.#closed) return ''
      await this.#change()
    }
  }
}

function certificate(name: string, key: string = name): ConnectionOptions {
  return { cert: fixture(`${name}.crt`), key: fixture(`${key}.key`) }
}

const ALICE = certificate('alice')

t.test('a folder asks for the certificate that its server did not ask for', async (t) => {
  const { server, port } = await serve(t)
  const alice = new Client(port, ALICE)
  t.match(await alice.ask('/open'), /X-Verify: NONE/)
  t.match(await alice.ask('/require'), /^HTTP\/1\.1 200 [\s\S]*X-Verify: SUCCESS/)
  t.match(await alice.ask('/require'), /^HTTP\/1\.1 200 /)
  t.equal(server.errors().filter((line) => line.includes('AH02221')).length, 1, 'once is enough')
  const nobody = new Client(port)
  t.match(await nobody.ask('/optional'), /^HTTP\/1\.1 200 [\s\S]*X-Verify: NONE/)
  t.equal(await nobody.ask('/require'), '', 'the handshake fails, and the connection ends')
  t.match(server.errors().join('\n'), /AH02261: Re-negotiation handshake failed[\s\S]*AH01998: /)
})

t.test('certificates that a folder asks for are verified', async (t) => {
  const { server, port } = await serve(t)
  for (const [name, key] of [['stranger'], ['expired'], ['deep-chain', 'deep']] as const) {
    t.equal(await new Client(port, certificate(name, key)).ask('/optional'), '', name)
    t.equal(await new Client(port, certificate(name, key)).ask('/require'), '', name)
  }
  t.match(server.errors().join('\n'), /AH02040: [^\n]*chain has 2 certificates, but maximum allowed are only 1/)
  const stranger = new Client(port, certificate('stranger'))
  t.match(await stranger.ask('/any'), /^HTTP\/1\.1 200 [\s\S]*X-Verify: FAILED:unable to verify the first certificate/)
  t.match(await stranger.ask('/any'), /X-Verify: GENEROUS/)
  t.equal(await stranger.ask('/require'), '')
})

t.test('a folder with a smaller SSLVerifyDepth refuses chains that its server accepted', async (t) => {
  const { port } = await serve(t, 'SSLVerifyClient require\nSSLVerifyDepth 2')
  const deep = certificate('deep-chain', 'deep')
  t.match(await new Client(port, deep).ask('/open'), /^HTTP\/1\.1 200 /)
  t.equal(await new Client(port, deep).ask('/shallow'), '')
  t.match(await new Client(port, ALICE).ask('/shallow'), /^HTTP\/1\.1 200 /)
  const modern = new Client(port, { ...deep, maxVersion: 'TLSv1.3' })
  t.match(await modern.ask('/open'), /^HTTP\/1\.1 200 /)
  t.match(await modern.ask('/shallow'), /^HTTP\/1\.1 403 /)
})

t.test('in TLS 1.3, a folder that asks for a certificate refuses requests', async (t) => {
  const { server, port } = await serve(t)
  const client = new Client(port, { ...ALICE, maxVersion: 'TLSv1.3' })
  t.match(await client.ask('/optional'), /^HTTP\/1\.1 403 /)
  t.match(server.errors().at(-1), /AH10158: cannot perform post-handshake authentication$/)
  t.match(await client.ask('/require', '', 'x'.repeat(101)), /^HTTP\/1\.1 413 /)
  t.match(server.errors().join('\n'), /AH02018: [^\n]*\(100\)[\s\S]*AH10228: /)
})

t.test('SSLCipherSuite of a folder changes the cipher of one connection, and of no other', async (t) => {
  const { port } = await serve(t)
  const ciphers = 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384'
  const others: Promise<string>[] = []
  for (let count = 0; count < 8; count++) {
    const client = new Client(port, { ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' })
    others.push(client.ask('/open'))
    const both = new Client(port, { ciphers })
    t.match(await both.ask('/strong'), /^HTTP\/1\.1 200 [\s\S]*X-Cipher: ECDHE-RSA-AES256-GCM-SHA384/)
  }
  for (const answer of await Promise.all(others)) t.match(answer, /X-Cipher: ECDHE-RSA-AES128-GCM-SHA256/)
  t.equal(await new Client(port, { ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }).ask('/strong'), '')
  t.match(await new Client(port).ask('/unknown'), /^HTTP\/1\.1 403 /)
})

t.test('a request body that arrived before another handshake is read after it', async (t) => {
  const { server, port } = await serve(t)
  const body = '0123456789'.repeat(10)
  const alice = new Client(port, ALICE)
  t.match(await alice.ask('/require', '', body), new RegExp(`/require:${body}$`))
  t.match(await new Client(port, ALICE).ask('/require', '', `${body}x`), /^HTTP\/1\.1 413 /)
  t.match(server.errors().join('\n'), /AH02018: request body exceeds maximum size \(100\)[\s\S]*AH02257: could not buffer/)
  t.match(await alice.ask('/open', '', 'after'), /\/open:after$/)
})

t.test('chunked bodies, bodies behind Expect, and those of redirected requests are read after another handshake', async (t) => {
  const { server, port } = await serve(t, 'RewriteEngine on\nRewriteRule ^/from$ /require [PT]')
  const body = '0123456789'.repeat(10)
  const post = async (path: string, more: string, text: string, wait = false): Promise<string> => {
    const client = new Client(port, ALICE)
    client.socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`)
    if (wait) t.match(await client.interim(), /^HTTP\/1\.1 100 /)
    client.socket.write(text)
    return await client.next()
  }
  const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
  for (const path of ['/require', '/from']) {
    const served = new RegExp(`/require:${body}$`)
    t.match(await post(path, 'Content-Length: 100\r\n', body), served, `${path} plain`)
    t.match(await post(path, 'Transfer-Encoding: chunked\r\n', chunked(body)), served, `${path} chunked`)
    t.match(await post(path, 'Transfer-Encoding: chunked\r\n', chunked(`${body}y`)), /^HTTP\/1\.1 413 /, `${path} too long`)
    const expects = 'Content-Length: 101\r\nExpect: 100-continue\r\n'
    t.match(await post(path, expects, `${body}y`, true), new RegExp(`/require:${body}y$`), `${path}: sent after the handshake`)
  }
  t.match(server.errors().join('\n'), /AH02018: request body exceeds maximum size \(100\)/)
})

t.test('a host of the same connection whose authorities differ refuses where it requires a certificate', async (t) => {
  const host = (name: string, more: string): string =>
    `<VirtualHost *>\nServerName ${name}\nSSLEngine on\n${more}\n</VirtualHost>`
  const { server, port } = await serve(
    t,
    `SSLVHostSNIPolicy insecure\n${host('localhost', '')}\n${host('other.test', 'SSLCACertificateFile conf/other-ca.crt')}`,
  )
  const ask = async (path: string): Promise<string> => {
    const client = new Client(port, ALICE)
    client.socket.write(`GET ${path} HTTP/1.1\r\nHost: other.test\r\n\r\n`)
    return await client.next()
  }
  t.match(await ask('/open'), /^HTTP\/1\.1 200 /)
  t.match(await ask('/optional'), /^HTTP\/1\.1 200 /)
  t.match(await ask('/require'), /^HTTP\/1\.1 403 /)
  t.match(server.errors().at(-1), /AH02256: Non-default virtual host with SSLVerify set to 'require' /)
})

t.test('clients that begin handshakes again and again are disconnected, and others are served', async (t) => {
  const { server, port } = await serve(t)
  const quiet = new Client(port)
  t.match(await quiet.ask('/open'), /^HTTP\/1\.1 200 /)
  const loud = Array.from({ length: 50 }, () => new Client(port))
  const ends = loud.map(async (client) => {
    t.match(await client.ask('/open'), /^HTTP\/1\.1 200 /)
    // Node adds a listener at each call, and removes it when that handshake has ended.
    client.socket.setMaxListeners(0)
    for (let count = 0; count < 20; count++) client.socket.renegotiate({}, () => undefined)
    return await client.next()
  })
  t.match(await quiet.ask('/open'), /^HTTP\/1\.1 200 /)
  for (const end of await Promise.all(ends)) t.equal(end, '')
  t.match(await quiet.ask('/open'), /^HTTP\/1\.1 200 /)
  t.equal(server.errors().filter((line) => line.includes('AH01992')).length, 50, 'one handshake each')
})

t.test('a connection with pipelined requests is negotiated again, and ends after the answer', async (t) => {
  const { server, port } = await serve(t)
  const client = new Client(port, ALICE)
  const line = 'HTTP/1.1\r\nHost: localhost\r\n\r\n'
  client.socket.write(`GET /require ${line}GET /second ${line}`)
  t.match(await client.next(), /^HTTP\/1\.1 200 [\s\S]*Connection: close/)
  t.equal(await client.next(), '')
  t.match(server.errors().join('\n'), /AH02259: insecure SSL re-negotiation required, but a pipelined request is present/)
})

t.test('a handshake that the client begins ends the connection', async (t) => {
  const { server, port } = await serve(t)
  const client = new Client(port)
  t.match(await client.ask('/open'), /^HTTP\/1\.1 200 /)
  client.socket.renegotiate({}, () => undefined)
  t.equal(await client.next(), '')
  t.match(server.errors().join('\n'), /AH01992: SSL library error 1 reading data[\s\S]*AH01998: /)
  t.match(await new Client(port).ask('/open'), /^HTTP\/1\.1 200 /, 'others are served')
})

t.test('a session that got its certificate for a folder has none elsewhere', async (t) => {
  const { port } = await serve(t)
  const first = new Client(port, ALICE)
  t.match(await first.ask('/require'), /X-Verify: SUCCESS/)
  const session = first.socket.getSession()
  const second = new Client(port, { session })
  t.match(await second.ask('/open'), /X-Verify: NONE/)
  t.equal(await second.ask('/require'), '')
})

t.test('a client that ends its half of the connection instead of another handshake is not waited for', async (t) => {
  const { server, port } = await serve(t)
  let isAsked = false
  // Between both: it ends the server's connection as soon as the server asks for the handshake.
  const between = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    near.on('data', (bytes: Buffer) => far.write(bytes)).on('error', () => undefined)
    far.on('data', (bytes: Buffer) => (isAsked ? far.end() : near.write(bytes))).on('error', () => undefined)
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void between.close())
  const address = between.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const client = new Client(address.port, ALICE)
  t.match(await client.ask('/open'), /\/open:$/)
  isAsked = true
  client.socket.on('error', () => undefined)
  client.socket.write('GET /require HTTP/1.1\r\nHost: localhost\r\n\r\n')
  while (!server.errors().some((line) => line.includes('AH02261'))) await pause(20)
  t.notMatch(server.errors().join('\n'), /did not settle/)
})
