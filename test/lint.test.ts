import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { gatewright, runTool, type ToolRun } from './fixtures/gatewright.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

const PROGRAMS = join(import.meta.dirname, '../dist/bin')
const STOCK = '/etc/apache2'
const skip = existsSync(join(STOCK, 'envvars')) ? false : 'needs the apache2 package of Debian'

t.test('nothing is found in the stock configuration of Debian', { skip }, (t) => {
  const words = ['lint', '-d', STOCK, join(STOCK, 'apache2.conf')]
  const script = `. ${STOCK}/envvars; exec "$@"`
  const run = spawnSync('sh', ['-c', script, 'sh', join(PROGRAMS, 'gatewright'), ...words], { encoding: 'utf8' })
  t.match(run, { status: 0, stdout: '', stderr: /nothing found\n/ })
  t.end()
})

t.test('a folder that the first start of a server makes may be missing', async (t) => {
  const root = t.testdir({ docs: {}, 'httpd.conf': 'ServerName localhost\nDefaultRuntimeDir run/none\nDocumentRoot docs\n' })
  t.match(await gatewright(['lint', '-d', root, join(root, 'httpd.conf')]), { status: 0, stderr: /nothing found\n/ })
})

t.test("there are no findings in the server's default configuration", async (t) => {
  const { status, stdout, stderr } = await runTool('httpd', ['-t', '--lint'], t.testdir({}))
  t.match({ status, stdout, stderr }, { status: 0, stdout: '', stderr: /Syntax OK\nnothing found\n/ })
})

t.test('a tree of .htaccess files is checked without any configuration', async (t) => {
  const tree = t.testdir({ shut: { '.htaccess': 'Order deny,allow\nAllow from 10\n', 'f.txt': 'x' } })
  const told = await gatewright(['lint', tree])
  t.equal(told.status, 1)
  t.match(told.stdout.split('\n'), [
    `${tree}/shut/.htaccess:2: error GW018: Allow from 10 denies nobody`,
    'shown by: curl -i http://localhost/shut/f.txt -> 200',
    /^hint: .*GW018\.md/,
    '',
  ])
  t.equal(told.stderr, '1 error\n')
  t.match(await gatewright(['lint', '--ignore', 'gw018', tree]), { status: 0, stdout: '', stderr: 'nothing found\n' })
  const asData = await gatewright(['lint', '--json', tree])
  t.match(JSON.parse(asData.stdout), { findings: [{ rule: 'GW018', line: 2, request: { status: 200, access: 'granted' } }] })
})

t.test('a .htaccess file with a mistake is not passed for one without findings', async (t) => {
  const tree = t.testdir({ shut: { '.htaccess': '\nRequire not ip 10\n', 'f.txt': 'x' } })
  const { status, stderr } = await gatewright(['lint', tree])
  t.equal(status, 1)
  t.match(
    stderr,
    `${tree}/shut/.htaccess:2: negative Require directive has no effect in <RequireAny> directive: the server answers every request there with 500`,
  )
})

t.test('a passphrase of sessions that is short, or that its program does not print, is reported with its line', async (t) => {
  const root = t.testdir({ docs: {}, nothing: '#!/bin/sh\nexit 1\n', long: `${'x'.repeat(16)}\n` })
  chmodSync(join(root, 'nothing'), 0o755)
  const lint = (line: string): Promise<ToolRun> => {
    const lines = [
      ...['session', 'session_crypto'].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
      `ServerName localhost\nDefaultRuntimeDir ${root}\nDocumentRoot docs`,
      line,
    ]
    writeFileSync(join(root, 'httpd.conf'), `${lines.join('\n')}\n`)
    return gatewright(['lint', '-d', root, join(root, 'httpd.conf')])
  }
  t.match(
    (await lint('SessionCryptoPassphrase fifteen-letters')).stdout,
    /httpd\.conf:6: warning SESSION003: .*shorter than 16 characters/,
  )
  const missing = await lint(`SessionCryptoPassphrase "exec:${root}/nothing"`)
  t.match(missing, { status: 1, stdout: /httpd\.conf:6: error SESSION003: there is no passphrase/ })
  t.match(await lint(`SessionCryptoPassphraseFile ${root}/long`), { status: 0, stdout: '' })
})

t.test('httpd -t --lint reports findings after the syntax, with a status for scripts', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(
    `LoadModule authz_core_module ${MODULES}/mod_authz_core.so`,
    `LoadModule access_compat_module ${MODULES}/mod_access_compat.so`,
    '<Directory "@ROOT@/htdocs">',
    '  Allow from 10',
    '</Directory>',
  )
  const text = await runTool('httpd', ['-t', '--lint', '-d', server.root], server.root)
  t.match(text, {
    status: 1,
    stdout: '',
    stderr: /Syntax OK\n.*httpd\.conf:\d+: error GW018: .*\nshown by: .*\nhint: .*\n1 error\n/,
  })
  const data = await runTool('httpd', ['-t', '--lint', '--json', '-d', server.root], server.root)
  t.match(JSON.parse(data.stdout), { findings: [{ rule: 'GW018', severity: 'error' }] })
})

t.test('a wrong command line, and a configuration that does not load, are reported', async (t) => {
  t.match(await gatewright(['lint', '--rule', 'GW999']), { status: 2, stderr: /no such rule: GW999/ })
  t.match(await gatewright(['lint', join(t.testdir({}), 'none.conf')]), { status: 2, stderr: /none\.conf/ })
  const root = t.testdir({ conf: { 'httpd.conf': 'Options Nothing\n' } })
  t.match(await gatewright(['lint', join(root, 'conf/httpd.conf')]), { status: 2, stderr: /line 1 of .*\n.*Nothing/ })
})

t.test('why modules cannot start is reported with file and line, before their own message', async (t) => {
  const fixtures = join(import.meta.dirname, 'conformance/fixtures/tls')
  const root = t.testdir({
    docs: {},
    logs: {},
    'httpd.conf': [
      'ServerName a.test',
      'DocumentRoot docs',
      `LoadModule authz_core_module ${MODULES}/mod_authz_core.so`,
      `LoadModule ssl_module ${MODULES}/mod_ssl.so`,
      'SSLEngine on',
      `SSLCertificateFile ${fixtures}/a.crt`,
      `SSLCertificateKeyFile ${fixtures}/b.key`,
      '',
    ].join('\n'),
  })
  const config = join(root, 'httpd.conf')
  const own = await gatewright(['lint', '--rule', 'ssl008', '-d', root, config])
  t.match(own, {
    status: 2,
    stdout: `${config}:7: error SSL008: the key in ${fixtures}/b.key is not that of`,
    stderr: /Configuration Failed/,
  })
  const { status, stdout, stderr } = await runTool('httpd', ['-t', '--lint', '-d', root, '-f', config], root)
  t.match({ status, stdout }, { status: 1, stdout: '' })
  t.match(stderr, /Syntax OK\n[\s\S]*:7: error SSL008: [\s\S]*AH00016: Configuration Failed/)
  t.match(await gatewright(['lint', '--rule', 'SSL999', '-d', root, config]), { status: 2 }, 'no such rule')
})
