import { X509Certificate } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import dir from '../../mod_dir/src/index.ts'
import { fixtures, securedConnections } from './support.ts'

const FILES = fixtures(
  'localhost.crt',
  'localhost.key',
  'localhost-encrypted.key',
  'a.crt',
  'a.key',
  'localhost-ec.crt',
  'localhost-ec.key',
)
const PAIR = 'SSLCertificateFile conf/localhost.crt\nSSLCertificateKeyFile conf/localhost.key'

async function serve(t: Test, config: string): Promise<TestServer> {
  const server = await site({
    modules: [authzCore, dir, securedConnections()],
    config: `LogLevel ssl:debug\n<Directory "@ROOT@/docs">\nRequire all granted\n</Directory>\n${config}`,
    files: { ...FILES, 'docs/d/index.html': 'x' },
  })
  t.teardown(() => server.close())
  return server
}

/** Lines of the error log about TLS, without time and process. */
function lines(server: TestServer): readonly string[] {
  return server.errors().flatMap((line) => /\[ssl:\w+\] .*?((?:AH\d+: |SSL Library).*)$/.exec(line)?.[1] ?? [])
}

t.test('a secured server has https in its own URLs and no port', async (t) => {
  const server = await serve(t, `SSLEngine on\n${PAIR}`)
  t.match(await server.inject('/d').then((answer) => answer.header('Location')), /^https:\/\/localhost\/d\/$/)
})

t.test('pairs of several kinds of keys are read', async (t) => {
  const server = await serve(
    t,
    `SSLEngine on\n${PAIR}\nSSLCertificateFile conf/localhost-ec.crt\nSSLCertificateKeyFile conf/localhost-ec.key`,
  )
  t.equal(lines(server).filter((line) => line.startsWith('AH02568')).length, 2)
})

t.test('of two pairs with keys of a kind, the last one is presented', async (t) => {
  const server = await serve(t, `SSLEngine on\n${PAIR}\nSSLCertificateFile conf/a.crt\nSSLCertificateKeyFile conf/a.key`)
  const socket = connect({ port: await server.listen(), host: '127.0.0.1', rejectUnauthorized: false })
  await new Promise((resolve, reject) => socket.on('secureConnect', resolve).on('error', reject))
  const expected = new X509Certificate(String(FILES['conf/a.crt'])).fingerprint256
  t.equal(socket.getPeerCertificate().fingerprint256, expected)
  socket.destroy()
})

t.test('a protected key is opened by a program, to which server and kind are passed', async (t) => {
  const folder = t.testdir({})
  const program = join(folder, 'ask')
  mkdirSync(folder, { recursive: true })
  const secret = passPhrase()
  writeFileSync(program, `#!/bin/sh\necho "$*" >> "${folder}/asked"\necho '${secret}'\n`)
  chmodSync(program, 0o755)
  const config = `SSLPassPhraseDialog exec:${program}\nSSLEngine on\nSSLCertificateFile conf/localhost.crt\nSSLCertificateKeyFile conf/localhost-encrypted.key`
  const server = await serve(t, config)
  t.equal(readFileSync(join(folder, 'asked'), 'utf8'), 'localhost:443 RSA\n')
  t.ok(lines(server).some((line) => line.startsWith('AH02560')))
  t.notOk(
    server.errors().some((line) => line.includes(secret)),
    'the answer is in no log line',
  )
})

t.test('a protected key that no program opens stops the start, with the reason', async (t) => {
  const root = t.testdir({})
  const log = join(root, 'error_log')
  const config = `ErrorLog ${log}\nSSLEngine on\nSSLCertificateFile conf/localhost.crt\nSSLCertificateKeyFile conf/localhost-encrypted.key`
  await t.rejects(serve(t, config), Error)
  t.match(readFileSync(log, 'latin1'), /SSLPassPhraseDialog builtin: .* nobody can be asked[\s\S]*AH02578: [\s\S]*AH02564: /)
})

t.test('settings of lines outside of sections are those of their server', async (t) => {
  await t.rejects(serve(t, `SSLEngine on\n${PAIR}\nSSLCipherSuite nonsense`), Error)
  const server = await serve(t, `SSLEngine on\n${PAIR}\n<Location "/x">\nSSLCipherSuite nonsense\n</Location>`)
  t.equal(
    lines(server).some((line) => line.startsWith('AH01898')),
    false,
  )
})

function passPhrase(): string {
  const script = new URL('../../../test/conformance/fixtures/tls/make-certificates.sh', import.meta.url)
  if (!existsSync(script)) throw new Error('the script that makes the certificates is missing')
  const [, secret = ''] = /-passout pass:(\S+) -out localhost-encrypted/.exec(readFileSync(script, 'utf8')) ?? []
  return secret
}
