import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { gatewright } from './fixtures/gatewright.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

t.test('an explanation names the status that the server then gives, and leaves no trace in its logs', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(
    `LoadModule authz_core_module ${MODULES}/mod_authz_core.so`,
    `LoadModule authz_host_module ${MODULES}/mod_authz_host.so`,
    '<Directory "@ROOT@/htdocs">',
    '  Require ip 127.0.0.1',
    '</Directory>',
  )
  const told = await gatewright(['explain', '-d', server.root, '--from', '127.0.0.2', '--json', '/'])
  t.equal(told.status, 0, told.stderr)
  const explanation: { readonly status: number; readonly changes: unknown } = JSON.parse(told.stdout)
  t.equal(explanation.status, 403)
  t.match(explanation.changes, [{ client: '127.0.0.1' }])
  await server.start()
  t.equal((await server.get('/', { from: '127.0.0.2' })).status, 403)
})

t.test(
  'the virtual host that a client of the only port meets is explained, and a port that nobody listens on is complained of',
  async (t) => {
    const server = await StagedServer.make(t)
    const lines = [
      `LoadModule authz_core_module ${MODULES}/mod_authz_core.so`,
      `<VirtualHost *:${server.port}>`,
      '  ServerName www.example.org',
      '  <Location "/">',
      '    Require all granted',
      '  </Location>',
      '</VirtualHost>',
      '<Location "/">',
      '  Require all denied',
      '</Location>',
    ]
    server.configure(...lines)
    const explain = (...words: string[]) => gatewright(['explain', '-d', server.root, '--color', 'never', ...words])
    const only = await explain('http://www.example.org/')
    t.match(only, { status: 0, stdout: /: 404 Not Found\n/ }, only.stderr)
    t.match(
      only.stdout,
      new RegExp(
        `Answered by virtual host www\\.example\\.org \\(conf/httpd\\.conf:\\d+\\), port ${server.port}: its ServerName is www\\.example\\.org\\.`,
      ),
    )
    t.match(only.stdout, new RegExp(`Note: no Listen line has port 80: the request comes to port ${server.port}, the only one`))
    t.match(await explain('http://www.example.org:9/'), { status: 1, stderr: /no Listen line has port 9: .*\nhint: write http/ })
    t.match(await explain('--to', `:${server.port}`, 'http://www.example.org:9/'), { status: 0, stdout: /: 404 Not Found\n/ })
    server.configure(...lines, `Listen 127.0.0.1:${server.port + 1}`)
    t.match(await explain('http://www.example.org/'), {
      status: 1,
      stderr: /no Listen line has port 80: the server listens on \d+ and \d+\./,
    })
    const expected = join(server.root, 'expect')
    writeFileSync(expected, `http://www.example.org:${server.port}/ -> 404\nhttp://www.example.org/ -> 404\n`)
    t.match(
      await gatewright(['check', '--format', 'human', '--config', join(server.root, 'conf/httpd.conf'), '--expect', expected]),
      {
        status: 1,
        stdout: new RegExp(
          `got not asked\n.*no Listen line has port 80.*\n.*\n1 answered by virtual host www\\.example\\.org \\(.*\\), port ${server.port}\n1 not as expected, 1 as expected`,
          's',
        ),
      },
    )
  },
)

t.test('a tree of .htaccess files is explained without any configuration', async (t) => {
  const folder = t.testdir({ docs: {} })
  mkdirSync(join(folder, 'docs/a'))
  writeFileSync(join(folder, 'docs/a/.htaccess'), 'Order deny,allow\nDeny from all\nAllow from 10\nNoSuchDirective on\n')
  writeFileSync(join(folder, 'docs/a/f.txt'), 'x')
  const told = await gatewright(['explain', '--tree', join(folder, 'docs'), '--color', 'always', '/a/f.txt'])
  t.equal(told.status, 0, told.stderr)
  t.match(told.stdout, /\u001b\[31m403 Forbidden/)
  t.match(told.stdout, /Deny from all .*a\/\.htaccess:2/)
  t.match(told.stdout, /from 10\.0\.0\.1: .*200/)
})

t.test('errors in the command line or the configuration are reported', async (t) => {
  t.match(await gatewright(['explain']), { status: 2, stderr: /name one URL/ })
  t.match(await gatewright(['explain', '--from', 'nowhere', '/']), {
    status: 2,
    stderr: /--from takes an IP address, not nowhere/,
  })
  t.match(await gatewright(['explian', '/']), { status: 2, stderr: /no such verb: explian/ })
  t.match(await gatewright(['--help']), { status: 0, stdout: /explain/ })
  const root = t.testdir({ conf: { 'httpd.conf': 'Requir all granted\n' } })
  t.match(await gatewright(['explain', '-d', root, '/']), {
    status: 1,
    stderr: /AH00526: Syntax error on line 1 of .*\nInvalid command 'Requir'.*\nhint: did you mean Require/,
  })
})

t.test(
  'files that the server may not read are not read for an explanation, either',
  { skip: process.geteuid?.() !== 0 && 'needs root' },
  async (t) => {
    const server = await StagedServer.make(t)
    server.configure(
      `LoadModule authz_core_module ${MODULES}/mod_authz_core.so`,
      '<Directory "@ROOT@/htdocs">',
      '  AllowOverride All',
      '</Directory>',
    )
    chmodSync(server.file('htdocs/.htaccess', 'Require all granted\n'), 0o600)
    server.file('htdocs/f.txt', 'x')
    const { stdout, stderr } = await gatewright(['explain', '-d', server.root, '--json', '/f.txt'])
    t.match(JSON.parse(stdout), { status: 403, log: [{ code: 'AH00529' }] }, stderr)
  },
)
