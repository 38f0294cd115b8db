import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, type SecureVersion, connect as tlsConnect } from 'node:tls'
import { type AnyModule, defineModule, type Protocol } from '@gatewright/api'
import { site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import reqtimeout from '../../mod_reqtimeout/src/index.ts'
import ssl from '../src/index.ts'
import { fixture, fixtures } from './support.ts'

const CONFIG = `LogLevel ssl:info
Header always set X-Verify "%{SSL_CLIENT_VERIFY}s"
Header always set X-Resumed "%{SSL_SESSION_RESUMED}s"
SSLEngine on
SSLCertificateFile conf/localhost.crt
SSLCertificateKeyFile conf/localhost.key
SSLCACertificateFile conf/ca.crt
<Directory "@ROOT@/docs">
Require all granted
</Directory>
<Directory "@ROOT@/docs/closed">
Require all denied
</Directory>`

async function serve(t: Test, more = ''): Promise<{ readonly server: TestServer; readonly port: number }> {
  const server = await site({
    modules: [authzCore, headers, ssl],
    config: `${CONFIG}\n${more}`,
    files: { 'docs/f.txt': 'hello\n', 'docs/closed/f.txt': 'x', ...fixtures('localhost.crt', 'localhost.key', 'ca.crt') },
  })
  t.teardown(() => server.close())
  return { server, port: await server.listen() }
}

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`

/** Everything that the server sends; '' where it closes or refuses. */
function received(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
    })
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })
}

function ask(port: number, path: string, options: ConnectionOptions = {}): Promise<string> {
  const socket = tlsConnect({ port, host: '127.0.0.1', servername: 'localhost', ca: fixture('ca.crt'), ...options })
  socket.write(request(path))
  return received(socket)
}

function certificate(name: string, key: string = name): ConnectionOptions {
  return { cert: fixture(`${name}.crt`), key: fixture(`${key}.key`) }
}

const VERSIONS: readonly SecureVersion[] = ['TLSv1.2', 'TLSv1.3']

t.test('requests over both versions of TLS are served and denied by the rules', async (t) => {
  const { port } = await serve(t)
  for (const version of VERSIONS) {
    const options = { minVersion: version, maxVersion: version }
    t.match(await ask(port, '/f.txt', options), /^HTTP\/1\.1 200 OK[\s\S]*hello\n$/, version)
    t.match(await ask(port, '/closed/f.txt', options), /^HTTP\/1\.1 403 /, version)
  }
})

t.test('plain HTTP on a TLS port is answered with 400, and anything else is closed', async (t) => {
  const { server, port } = await serve(t)
  const send = (text: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.write(text, 'latin1')
    return received(socket)
  }
  t.match(await send(request('/f.txt')), /^HTTP\/1\.1 400 /)
  t.equal(await send('OPTIONS * HTTP/1.0\r\n\r\n'), '')
  t.match(server.errors().join('\n'), /AH01996: [\s\S]*AH02008: SSL library error 1 in handshake [\s\S]*AH01998: /)
})

t.test('URLs in the answer to plain HTTP on a TLS port have the scheme and the port of HTTP', async (t) => {
  const { port } = await serve(t, 'ServerSignature On\nErrorDocument 400 "%{REQUEST_SCHEME} %{SERVER_PORT} %{HTTPS}"')
  const socket = connect(port, '127.0.0.1')
  socket.write(request('/f.txt'), 'latin1')
  t.match(await received(socket), /^HTTP\/1\.1 400 [\s\S]*http 80 off$/)
})

t.test('the answer to plain HTTP on a TLS port may be a page of the server, and nothing else is served', async (t) => {
  const { port } = await serve(t, 'ErrorDocument 400 /f.txt\nSSLVerifyClient require')
  const send = (target: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.write(request(target), 'latin1')
    return received(socket)
  }
  for (const target of ['/other', '/closed/f.txt']) t.match(await send(target), /^HTTP\/1\.1 400 [\s\S]*\r\n\r\nhello\n$/, target)
})

t.test('a certificate is verified, and its chain may not be longer than SSLVerifyDepth', async (t) => {
  const { server, port } = await serve(t, 'SSLVerifyClient optional')
  for (const maxVersion of VERSIONS) {
    t.match(
      await ask(port, '/f.txt', { maxVersion, ...certificate('alice') }),
      /^HTTP\/1\.1 200 [\s\S]*X-Verify: SUCCESS/,
      maxVersion,
    )
    t.match(await ask(port, '/f.txt', { maxVersion }), /^HTTP\/1\.1 200 [\s\S]*X-Verify: NONE/, maxVersion)
    t.equal(await ask(port, '/f.txt', { maxVersion, ...certificate('stranger') }), '', maxVersion)
    t.equal(await ask(port, '/f.txt', { maxVersion, ...certificate('expired') }), '', maxVersion)
    t.equal(await ask(port, '/f.txt', { maxVersion, ...certificate('deep-chain', 'deep') }), '', maxVersion)
  }
  t.match(server.errors().join('\n'), /AH02040: [^\n]*chain has 2 certificates, but maximum allowed are only 1/)
})

/** What is negotiated by ALPN, or the error where the handshake fails. */
function negotiated(port: number, offers: readonly string[]): Promise<string> {
  const socket = tlsConnect({
    port,
    host: '127.0.0.1',
    ca: fixture('ca.crt'),
    servername: 'localhost',
    ALPNProtocols: [...offers],
  })
  return new Promise((resolve) => {
    socket.on('secureConnect', () => {
      resolve(socket.alpnProtocol === false || socket.alpnProtocol === null ? 'none' : socket.alpnProtocol)
      socket.destroy()
    })
    socket.on('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    socket.on('close', () => resolve(''))
  })
}

const NO_PROTOCOL = 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'

/** A protocol that greets and ends. */
const greeting = (name: string, isOpenTo?: Protocol['isOpenTo']): AnyModule =>
  defineModule({
    name: `${name}_module`,
    source: `mod_${name}.c`,
    register({ providers }) {
      providers.protocols.add(name, {
        ...(isOpenTo !== undefined && { isOpenTo }),
        speak: ({ stream, connection }) => stream.end(`${name} for ${connection.remoteAddress}`),
      })
    },
  })

t.test('ALPN chooses a protocol by the directives, and modules speak it', async (t) => {
  const modules = [
    authzCore,
    headers,
    ssl,
    greeting('new'),
    greeting('other'),
    greeting('quiet', (_c, _s, name) => name === 'localhost'),
  ]
  const files = { 'docs/f.txt': 'hello\n', ...fixtures('localhost.crt', 'localhost.key', 'ca.crt') }
  const open = async (more: string): Promise<number> => {
    const server = await site({ modules, config: `${CONFIG}\n${more}`, files })
    t.teardown(() => server.close())
    return await server.listen()
  }
  const byServer = await open('Protocols http/1.1 new\nProtocols absent')
  t.equal(await negotiated(byServer, ['new', 'http/1.1']), 'http/1.1', 'the order of the server')
  t.equal(await negotiated(byServer, ['absent', 'new']), 'new')
  t.equal(await negotiated(byServer, ['absent']), NO_PROTOCOL, 'no module speaks it')
  t.equal(await negotiated(byServer, ['other']), NO_PROTOCOL, 'Protocols does not name it')
  t.equal(await negotiated(byServer, ['quiet']), 'quiet', 'a module opens it')
  t.equal(await negotiated(byServer, []), 'none')
  const byClient = await open('Protocols new\nProtocolsHonorOrder off')
  t.equal(await negotiated(byClient, ['http/1.1', 'new']), 'http/1.1', 'the order of the client')
  t.equal(await negotiated(byClient, ['other', 'http/1.1']), 'http/1.1')
  t.equal(await ask(byClient, '/f.txt', { ALPNProtocols: ['new'] }), 'new for 127.0.0.1')
  t.match(await ask(byClient, '/f.txt', { ALPNProtocols: ['http/1.1'] }), /^HTTP\/1\.1 200 /)
})

t.test('clients that leave during the handshake do not disturb others', async (t) => {
  const { server, port } = await serve(t)
  for (const start of ['', '\x16', '\x16\x03\x01\x02', '\x16\x03\x01\x00\x05hello']) {
    const socket = connect(port, '127.0.0.1')
    const closed = received(socket)
    socket.end(start, 'latin1')
    await closed
  }
  t.match(await ask(port, '/f.txt'), /^HTTP\/1\.1 200 /)
  t.match(server.errors().join('\n'), /AH02006: SSL handshake stopped: connection was closed/)
})

/** The first bytes of a ClientHello of 508 bytes. */
const HELLO_START = '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'

t.test('a handshake that takes too long is closed, however it is slow', async (t) => {
  const files = { 'docs/f.txt': 'hello\n', ...fixtures('localhost.crt', 'localhost.key', 'ca.crt') }
  const config = `${CONFIG}\nLogLevel reqtimeout:info\nRequestReadTimeout handshake=1-2,MinRate=5 header=0`
  const server = await site({ modules: [authzCore, headers, reqtimeout, ssl], config, files })
  t.teardown(() => server.close())
  const port = await server.listen()
  const slow = ['', HELLO_START, HELLO_START].map((start) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(start, 'latin1')
    const drip = setInterval(() => socket.write('\0'), 100)
    if (start === '') clearInterval(drip)
    return received(socket).finally(() => clearInterval(drip))
  })
  const idle = tlsConnect({ port, host: '127.0.0.1', servername: 'localhost', ca: fixture('ca.crt') })
  t.strictSame(await Promise.all(slow), ['', '', ''])
  const messages = server.errors().join('\n')
  t.equal(messages.match(/reqtimeout:info\].*AH01382: Request handshake read timeout$/gm)?.length, 3)
  t.equal(messages.match(/AH01998: /g)?.length, 3)
  t.notMatch(messages, /AH02006/)
  idle.write(request('/f.txt'))
  t.match(await received(idle), /^HTTP\/1\.1 200 /, 'a connection after its handshake has the time of its request')
})

t.test('others are served during 2000 slow handshakes', async (t) => {
  const { port } = await serve(t)
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let count = 0; count < 2000; count += 100) {
    await Promise.all(
      Array.from({ length: 100 }, () => {
        const socket = connect(port, '127.0.0.1')
        sockets.push(socket)
        socket.on('error', () => undefined)
        socket.write(HELLO_START, 'latin1')
        return new Promise((resolve) => socket.on('connect', resolve))
      }),
    )
  }
  const dripping = setInterval(() => {
    for (const socket of sockets) socket.write('\0')
  }, 500)
  t.teardown(() => clearInterval(dripping))
  for (let count = 0; count < 10; count++) t.match(await ask(port, '/f.txt'), /^HTTP\/1\.1 200 /)
  t.equal(sockets.filter(({ destroyed }) => destroyed).length, 0, 'all of them are still connected')
})
