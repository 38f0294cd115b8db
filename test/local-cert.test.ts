import type { X509Certificate } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import t from 'tap'
import { gatewright } from './fixtures/gatewright.ts'
import { InstalledServer } from './fixtures/installed-server.ts'
import { StagedServer } from './fixtures/staged-server.ts'

interface Result {
  readonly names: readonly string[]
  readonly authority: { readonly certificate: string; readonly key: string; readonly issued: string | null }
  readonly server: {
    readonly certificate: string
    readonly issued: string | null
    readonly expires: string
    readonly fingerprint: string
  }
  readonly directives: readonly string[]
}

function resultOf(stdout: string): Result {
  return JSON.parse(stdout)
}

t.test('the directives that it prints serve its certificate, which clients of the authority accept for every name', async (t) => {
  const server = await StagedServer.make(t)
  const folder = server.path('conf/with blank')
  const { status, stdout, stderr } = await gatewright(['local-cert', '--json', '-o', folder, 'a.test', '::2'])
  t.match({ status, stderr }, { status: 0, stderr: '' })
  const { directives, authority, server: made, names } = resultOf(stdout)
  t.strictSame(names, ['localhost', '127.0.0.1', '::1', 'a.test', '::2'])
  t.match(directives, { length: 9 })
  server.configure(
    ...directives.map((line) => line.replace('*:8443', `*:${server.port}`)).filter((line) => !line.startsWith('Listen ')),
  )
  await server.start()
  for (const name of ['localhost', 'a.test']) {
    const shown = await new Promise<X509Certificate | undefined>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: server.port, servername: name, ca: readFileSync(authority.certificate) }
      const socket = connect(options, () => {
        resolve(socket.getPeerX509Certificate())
        socket.end()
      })
      socket.on('error', reject)
    })
    t.equal(shown?.fingerprint256, made.fingerprint, name)
    t.equal(shown?.validToDate.toISOString(), made.expires)
  }
})

t.test('it prints what it wrote, the directives, and how clients trust the authority', async (t) => {
  const folder = join(t.testdir(), "it's here")
  const first = await gatewright(['local-cert', '-o', folder])
  t.match(first, { status: 0, stderr: '' })
  const lines = first.stdout.split('\n')
  t.match(lines[0], join(folder, 'server.crt'))
  t.match(lines[1], /^ {2}written, valid until \d{4}-\d\d-\d\d: localhost, 127\.0\.0\.1, ::1$/)
  t.ok(lines.includes(`    SSLCertificateKeyFile "${folder}/server.key"`))
  const quoted = `'${folder.replace("'", "'\\''")}/authority.crt'`
  t.ok(first.stdout.includes(`curl --cacert ${quoted} https://localhost:8443/\n`))
  t.notMatch(first.stdout, /PRIVATE KEY/)
  const second = await gatewright(['local-cert', '-o', folder])
  t.equal(second.stdout, first.stdout.replaceAll('  written, ', '  unchanged, '))
  chmodSync(join(folder, 'authority.key'), 0o640)
  const third = await gatewright(['local-cert', '-o', folder])
  t.match(third.stdout, `note: other users could read ${folder}/authority.key; its mode is now 600\n`)
})

t.test('without --output the files are beside the configuration of the installation', async (t) => {
  const installed = new InstalledServer(t)
  const { status, stdout } = await installed.run('gatewright', ['local-cert', '--json'])
  t.equal(status, 0)
  t.equal(resultOf(stdout.join('\n')).authority.key, installed.path('conf/local-cert/authority.key'))
  t.ok(existsSync(installed.path('conf/local-cert/server.key')))
})

t.test('names in the bytes of UTF-8 stay what they are', async (t) => {
  const folder = join(t.testdir(), 'ordner-ä')
  const { status, stdout } = await gatewright(['local-cert', '--json', '-o', folder, 'bücher.test'])
  t.equal(status, 0)
  const { names, authority } = resultOf(Buffer.from(stdout, 'latin1').toString('utf8'))
  t.equal(authority.certificate, join(folder, 'authority.crt'))
  t.ok(existsSync(authority.certificate))
  t.equal(names.at(-1), 'xn--bcher-kva.test')
})

t.test('a file of somebody else stays, and the message names it', async (t) => {
  const folder = t.testdir({ 'server.key': 'mine\n' })
  const { status, stdout, stderr } = await gatewright(['local-cert', '-o', folder])
  t.match({ status, stdout }, { status: 1, stdout: '' })
  t.equal(
    stderr,
    `gatewright local-cert: ${folder}/server.key exists without its certificate ${folder}/server.crt\n` +
      'hint: move the file away, or write elsewhere with --output DIR\n',
  )
  t.equal(readFileSync(join(folder, 'server.key'), 'latin1'), 'mine\n')
  t.notOk(existsSync(join(folder, 'authority.crt')))
})

t.test('a folder that cannot be made or read is named, with a solution', async (t) => {
  const folder = t.testdir({ file: '' })
  const under = await gatewright(['local-cert', '-o', join(folder, 'file/below')])
  t.match(under, { status: 1, stdout: '', stderr: /file\/below.*\nhint: / })
  mkdirSync(join(folder, 'dir/server.crt'), { recursive: true })
  const unreadable = await gatewright(['local-cert', '-o', join(folder, 'dir')])
  t.match(unreadable, { status: 1, stdout: '', stderr: /^gatewright local-cert: EISDIR.*\nhint: / })
})

t.test('a mistake in the command line is explained, and nothing is written', async (t) => {
  const folder = join(t.testdir(), 'certs')
  const run = await gatewright(['local-cert', '-o', folder, 'https://a.test'])
  t.match(run, { status: 2, stderr: /^gatewright local-cert: 'https:\/\/a\.test' is not a host name or an IP address; / })
  t.notOk(existsSync(folder))
  t.match(await gatewright(['local-cert', '--output', '']), { status: 2, stderr: /--output requires a folder/ })
  t.match(await gatewright(['local-cert', '--help']), { status: 0, stdout: /^Usage: gatewright local-cert / })
})
