import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../modules/mod_authz_core/src/index.ts'
import headers from '../modules/mod_headers/src/index.ts'
import logConfig from '../modules/mod_log_config/src/index.ts'
import ssl from '../modules/mod_ssl/src/index.ts'
import lines from './fixtures/mod_lines/src/index.ts'
import { TlsAuthority } from './fixtures/tls-authority.ts'
import { until } from './fixtures/until.ts'

const CONFIG = `Protocols lines http/1.1
CustomLog "@ROOT@/access.log" "%r %H %>s %b"
<VirtualHost *:*>
ServerName localhost
<Location "/no">
Require all denied
</Location>
</VirtualHost>
<VirtualHost *:*>
ServerName other
DocumentRoot "@ROOT@/other"
</VirtualHost>`

const FILES = {
  'docs/f.txt': 'text',
  'docs/no/f.txt': 'secret',
  'docs/big.txt': '0123456789'.repeat(100_000),
  'other/f.txt': 'other',
}

type TestServer = Awaited<ReturnType<typeof site>>

async function serve(t: Test, config = CONFIG): Promise<TestServer & { readonly port: number }> {
  const server = await site({ modules: [authzCore, headers, logConfig, lines], config, files: FILES })
  t.teardown(() => server.close())
  return { ...server, port: await server.listen() }
}

/** Sends a text, and reads to the end of the connection. */
function talk(socket: Socket, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => (received += part))
    socket.on('end', () => {
      socket.destroy()
      resolve(received)
    })
    socket.on('error', reject)
    socket.write(text)
  })
}

const plain = (port: number): Socket => connect({ host: '127.0.0.1', port })

t.test(
  'clients begin a protocol of a module with its first bytes, and requests pass the rules and logs of the server',
  async (t) => {
    const server = await serve(t)
    const answers = await talk(
      plain(server.port),
      'LINES\nlocalhost /f.txt\nother /f.txt\nlocalhost /no/f.txt\nlocalhost f.txt\nbye\n',
    )
    t.match(answers, /^200 4\ntext200 5\nother403 \d+\n[\s\S]*<\/html>\s*400 0\n$/)
    t.match(server.errors().join('\n'), /AH01630: client denied by server configuration/)
    const path = `${server.serverRoot}/access.log`
    await until('the log has three lines', () => readFileSync(path, 'latin1').split('\n').length === 4)
    t.match(
      readFileSync(path, 'latin1'),
      /^GET \/f\.txt lines lines 200 4\nGET \/f\.txt lines lines 200 5\nGET \/no\/f\.txt lines lines 403 /,
    )
  },
)

t.test('a large response arrives whole, and a client that leaves in it is forgotten', async (t) => {
  const server = await serve(t)
  const whole = await talk(plain(server.port), 'LINES\nlocalhost /big.txt\nbye\n')
  t.equal(whole.length, '200 1000000\n'.length + 1_000_000)
  const leaving = plain(server.port)
  leaving.write('LINES\nlocalhost /big.txt\n')
  await new Promise((resolve) => leaving.once('data', resolve))
  leaving.destroy()
  t.match(await talk(plain(server.port), 'LINES\nlocalhost /f.txt\nbye\n'), /^200 4\ntext$/)
})

t.test('bytes that only begin like a protocol are a request', async (t) => {
  const server = await serve(t)
  const socket = plain(server.port)
  socket.write('LINE')
  t.match(await talk(socket, ' /f.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 501 /)
})

t.test('a server whose Protocols does not name a protocol does not speak it', async (t) => {
  const server = await serve(t, CONFIG.replace('Protocols lines http/1.1', ''))
  t.match(await talk(plain(server.port), 'LINES\nlocalhost /f.txt\n\n'), /400 Bad Request/)
  const upgrade = 'GET /f.txt HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: lines\r\n\r\n'
  t.match(await talk(plain(server.port), upgrade), /^HTTP\/1\.1 200 /)
})

t.test('a request of HTTP/1.1 that may be served continues with a protocol by Upgrade', async (t) => {
  const server = await serve(t)
  const ask = (path: string, rest: string, more = ''): Promise<string> =>
    talk(
      plain(server.port),
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: tea, lines\r\n${more}\r\n${rest}`,
    )
  t.match(
    await ask('/f.txt', 'other /f.txt\nbye\n'),
    /^HTTP\/1\.1 101 Switching Protocols\r\nUpgrade: lines\r\nConnection: Upgrade\r\n\r\n200 5\nother$/,
  )
  t.match(await ask('/no/f.txt', 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 403 /)
  const body = await ask('/f.txt', 'abcGET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 'Content-Length: 3\r\n')
  t.notMatch(body, /101 Switching/, 'a request with a body is served')
})

t.test('clients choose a protocol by ALPN over TLS', async (t) => {
  const folder = t.testdir()
  const pair = new TlsAuthority(folder, 'Authority').issue('localhost', { hosts: ['localhost'] })
  const config = `${CONFIG}\nSSLEngine on\nSSLCertificateFile ${pair.certificate}\nSSLCertificateKeyFile ${pair.key}`
  const server = await site({ modules: [authzCore, headers, logConfig, ssl, lines], config, files: FILES })
  t.teardown(() => server.close())
  const port = await server.listen()
  const socket = connectTls({ host: '127.0.0.1', port, ALPNProtocols: ['lines'], rejectUnauthorized: false })
  t.equal(await talk(socket, 'localhost /f.txt\nbye\n'), '200 4\ntext')
  t.equal(socket.alpnProtocol, 'lines')
})

t.test('the page about protocols shows this module', (t) => {
  const page = readFileSync(join(import.meta.dirname, '../docs/protocol-modules.md'), 'utf8')
  const source = readFileSync(join(import.meta.dirname, 'fixtures/mod_lines/src/index.ts'), 'utf8')
  t.ok(page.includes(source.trimEnd()), 'docs/protocol-modules.md has test/fixtures/mod_lines/src/index.ts')
  t.end()
})
