import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { FileSource } from '@gatewright/core'
import { explain, PolicyServer, readAccessLine, readErrorLine, urlPathOf } from '@gatewright/policy'
import alias from 'mod_alias'
import authBasic from 'mod_auth_basic'
import authnCore from 'mod_authn_core'
import authnFile from 'mod_authn_file'
import authzCore from 'mod_authz_core'
import authzHost from 'mod_authz_host'
import authzUser from 'mod_authz_user'
import dir from 'mod_dir'
import logConfig from 'mod_log_config'
import logio from 'mod_logio'
import mime from 'mod_mime'
import unixd from 'mod_unixd'
import t from 'tap'
import { StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const skip = spawnSync('apache2', ['-v']).status === 0 ? false : 'needs apache2'
const DEBIAN_MODULES = '/usr/lib/apache2/modules'
const NAMES = ['authz_core', 'authz_host', 'authz_user', 'authn_core', 'authn_file', 'auth_basic', 'alias', 'dir', 'mime']
const SOURCES = [authzCore, authzHost, authzUser, authnCore, authnFile, authBasic, alias, dir, mime, logConfig, logio, unixd]

const OWN_FORMAT = '%a [%{Host}i] %u %m %U%q %>s "%{Referer}i"'

const REQUESTS: readonly (readonly [path: string, visit?: { from?: string; headers?: Record<string, string> }])[] = [
  ['/'],
  ['/?a=b%20c'],
  ['/none.html'],
  ['/denied/a.txt'],
  ['/net/a.txt'],
  ['/net/a.txt', { from: '127.0.0.2' }],
  ['/users/a.txt'],
  ['/users/a.txt', { headers: { Authorization: `Basic ${btoa('alice:secret')}` } }],
  ['/users/a.txt', { headers: { Authorization: `Basic ${btoa('bob:secret')}` } }],
  ['/moved/x', { headers: { Referer: 'http://a.example/"quoted"', 'User-Agent': 'x "y" \\ z' } }],
  ['/d', { headers: { Host: 'b.example' } }],
  ['/empty/'],
]

t.test('every line that a real server logs is explained, with the status that it has', { skip }, async (t) => {
  const httpd = await StagedServer.make(t, 'apache2')
  // Its processes end with their parent only if it is asked to end.
  t.teardown(() => httpd.stop())
  for (const name of ['index.html', 'denied/a.txt', 'net/a.txt', 'users/a.txt', 'd/index.html', 'empty/x.txt'])
    httpd.file(`htdocs/${name}`, name)
  const hash = '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ='
  httpd.file('conf/users', `alice:${hash}\nbob:${hash}\n`)
  httpd.file('conf/mime.types', 'text/html html\ntext/plain txt\n')
  httpd.configure(
    '<IfModule !mod_authz_core.c>',
    `LoadModule mpm_event_module ${DEBIAN_MODULES}/mod_mpm_event.so`,
    'DefaultRuntimeDir @ROOT@/logs',
    ...NAMES.map((name) => `LoadModule ${name}_module ${DEBIAN_MODULES}/mod_${name}.so`),
    '</IfModule>',
    'TypesConfig conf/mime.types',
    'CustomLog logs/combined_log "%h %l %u %t \\"%r\\" %>s %O \\"%{Referer}i\\" \\"%{User-Agent}i\\""',
    `CustomLog logs/own_log "${OWN_FORMAT.replaceAll('"', '\\"')}"`,
    'Redirect /moved http://new.example/',
    '<Directory "@ROOT@/htdocs">',
    'Require all granted',
    '</Directory>',
    '<Directory "@ROOT@/htdocs/denied">',
    'Require all denied',
    '</Directory>',
    '<Directory "@ROOT@/htdocs/net">',
    'Require ip 127.0.0.2',
    '</Directory>',
    '<Directory "@ROOT@/htdocs/users">',
    'AuthType Basic',
    'AuthName users',
    'AuthUserFile "@ROOT@/conf/users"',
    'Require user alice',
    '</Directory>',
  )
  await httpd.start()
  for (const [path, visit] of REQUESTS) await httpd.get(path, visit)
  const lines = (name: string): string[] => httpd.read(`logs/${name}`).split('\n').filter(Boolean)
  await until('both access logs are complete', () =>
    ['combined_log', 'own_log'].every((name) => lines(name).length === REQUESTS.length),
  )
  const errors = (): string[] => lines('error_log').filter((line) => line.includes('[client '))
  await until('the error log is complete', () => errors().length >= 3)
  const server = await PolicyServer.open({
    program: 'test',
    serverRoot: httpd.root,
    configFile: join(httpd.root, 'conf/httpd.conf'),
    defines: [],
    before: [],
    after: [],
    source: new FileSource(),
    environment: {},
    report: () => undefined,
    builtIn: SOURCES,
    skipDocumentRootCheck: false,
  })
  const shared = { localAddress: '127.0.0.1', localPort: httpd.port }
  const asHttpd = (): Promise<PolicyServer> => Promise.resolve(server)
  for (const line of [...lines('combined_log'), ...lines('own_log')]) {
    const read = readAccessLine(line, [OWN_FORMAT])
    if (read === null) {
      t.fail(`not read: ${line}`)
      continue
    }
    const { method, target, host, client, user, headers, status } = read
    const credentials = user === null ? null : { user, password: null }
    const question = { ...shared, method, target, host: host ?? 'localhost', client: client ?? '127.0.0.1', credentials, headers }
    const { status: explained, notes } = await explain(server, question, { asHttpd, loggedStatus: status })
    t.equal(explained, status, line)
    t.strictSame(notes, [], line)
  }
  for (const line of errors()) {
    const read = readErrorLine(line)
    if (read === null) {
      t.fail(`not read: ${line}`)
      continue
    }
    const target = urlPathOf(read.path, [join(httpd.root, 'htdocs')])
    t.ok(target.startsWith('/') && !target.startsWith(httpd.root), `${target}: ${line}`)
    t.not(read.meaning, '', line)
    const credentials = read.user === null ? null : { user: read.user, password: null }
    const question = { ...shared, method: 'GET', target, host: 'localhost', client: read.client ?? '', credentials, headers: [] }
    const { log } = await explain(server, question, { asHttpd })
    const code = /AH\d{5}/.exec(line)?.[0]
    t.ok(
      log.some((one) => one.code === code),
      `${code} is logged again: ${line}`,
    )
  }
  await server.close()
})
