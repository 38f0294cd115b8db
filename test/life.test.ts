import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openDbmWriter } from '@gatewright/dbm'
import t, { type Test } from 'tap'
import { childrenOf, gone } from './fixtures/processes.ts'
import { canConnect, MODULES, StagedServer } from './fixtures/staged-server.ts'

const load = (...names: readonly string[]): string[] =>
  names.map((name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.so`)}`)
const OPEN = [...load('authz_core'), '<Location />', 'Require all granted', '</Location>'].join('\n')
const sha = (password: string): string => `{SHA}${createHash('sha1').update(password).digest('base64')}`
/** Bytes without a meaning, the same every time. */
const noise = (seed: string): string => createHash('shake256', { outputLength: 20_000 }).update(seed).digest().toString('latin1')
const ALICE = { headers: { Authorization: `Basic ${Buffer.from('alice:wonder').toString('base64')}` } }
const EMPTY = { headers: { Authorization: `Basic ${Buffer.from('alice:').toString('base64')}` } }

t.test('a server in the foreground has its pid in the file, and TERM ends it with everything written', async (t) => {
  const server = await StagedServer.make(t)
  server.file('htdocs/f.txt', 'content\n')
  server.configure(OPEN, 'LogLevel info', 'CustomLog logs/access_log "%r %>s"')
  const pid = await server.start()
  t.equal(server.read('logs/httpd.pid'), `${pid}\n`)
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => server.get(`/f.txt?${index}`)))
  t.ok(answers.every(({ status, body }) => status === 200 && body === 'content\n'))
  await server.get('/missing')
  t.strictSame(await server.stop(), { status: 0, stdout: [], stderr: [] })

  const logged = server.read('logs/access_log').split('\n').slice(0, -1)
  t.equal(new Set(logged).size, 41, 'every answer is in the access log')
  t.ok(logged.includes('GET /f.txt?39 HTTP/1.1 200'))
  const errors = server.errors()
  t.match(errors, [
    /^\[mpm_event:notice\] AH00489: Gatewright\/\S+ \(Unix\) configured -- resuming normal operations$/,
    /^\[mpm_event:info\] AH00490: Server built: /,
    /^\[core:notice\] AH00094: Command line: '/,
  ])
  t.equal(errors.length, 6, errors.join('\n'))
  t.ok(errors.some((line) => line.endsWith(`AH00128: File does not exist: ${server.path('htdocs/missing')}`)))
  t.match(errors.slice(-2), [
    /AH00096: removed PID file \S+ \(pid=\d+\)$/,
    '[mpm_event:notice] AH00491: caught SIGTERM, shutting down',
  ])
  t.notOk(existsSync(server.path('logs/httpd.pid')))
  t.notOk(await canConnect(server.port))
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

t.test('workers whose supervisor is killed report that, and end', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(OPEN, 'WorkerProcesses 2')
  await server.start()
  const workers = childrenOf(server.pid)
  server.signal('SIGKILL')
  await gone(workers)
  const told =
    '[mpm_event:crit] the supervisor has ended: this worker accepts no more connections and ends after its active requests; start the server again'
  t.strictSame(server.errors().slice(-2), [told, told])
  t.notOk(await canConnect(server.port))
})

t.test('INT ends a server in the foreground as well', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(OPEN)
  await server.start()
  const ended = await server.stop('SIGINT')
  t.match(ended, { stdout: [], stderr: [] })
  t.notOk(existsSync(server.path('logs/httpd.pid')))
  t.notOk(await canConnect(server.port))
})

t.test('a port in use ends the start with the message, advice, status 1 and nothing left behind', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(OPEN)
  const other = createServer().listen(server.port, '127.0.0.1')
  await once(other, 'listening')
  const run = await server.run('-D', 'FOREGROUND')
  other.close()
  t.equal(run.status, 1)
  t.strictSame(run.stderr.slice(0, 3), [
    `(98)Address already in use: AH00072: make_sock: could not bind to address 127.0.0.1:${server.port}`,
    'no listening sockets available, shutting down',
    'AH00015: Unable to open logs',
  ])
  t.match(run.stderr.slice(3), [
    new RegExp(`^hint: Listen 127\\.0\\.0\\.1:${server.port}: another program uses port ${server.port}`),
  ])
  nothingLeft(t, server)
})

/** Errors, and the first and last line of the output; `LINE` is the number of the first line. */
const MISTAKES: readonly (readonly [string, readonly string[], readonly (string | RegExp)[]])[] = [
  [
    'an unknown directive',
    ['NoSuchThing on'],
    [
      'AH00526: Syntax error on line LINE of ROOT/conf/httpd.conf:',
      "Invalid command 'NoSuchThing', perhaps misspelled or defined by a module not included in the server configuration",
    ],
  ],
  [
    'an unbalanced section',
    ['<Directory />'],
    ['httpd: Syntax error on line LINE of ROOT/conf/httpd.conf: ROOT/conf/httpd.conf:LINE: <Directory> was not closed.'],
  ],
  [
    'a module that is not there',
    ['LoadModule none_module modules/mod_none.so'],
    [
      'httpd: Syntax error on line LINE of ROOT/conf/httpd.conf: Cannot load modules/mod_none.so into server: ROOT/modules/mod_none.so: cannot open shared object file: No such file or directory',
      'hint: looked for ROOT/modules/mod_none.mjs and MODULES/mod_none.mjs',
    ],
  ],
  [
    'a DocumentRoot that is not there',
    ['DocumentRoot none'],
    [
      'AH00526: Syntax error on line LINE of ROOT/conf/httpd.conf:',
      "DocumentRoot 'ROOT/none' is not a directory, or is not readable",
    ],
  ],
  [
    'rules that can only refuse',
    [
      ...load('authz_core', 'authz_host'),
      '<Location />',
      '<RequireAll>',
      'Require not ip 192.0.2.1',
      '</RequireAll>',
      '</Location>',
    ],
    ['AH01624: <RequireAll> directive contains only negative authorization directives', 'AH00014: Configuration check failed'],
  ],
  [
    'a folder of the error log that is not there',
    ['ErrorLog none/error_log'],
    [
      "(2)No such file or directory: AH02291: Cannot access directory 'ROOT/none/' for main error log",
      'AH00014: Configuration check failed',
    ],
  ],
  [
    'a folder of an access log that is not there',
    ['CustomLog none/access_log "%h"'],
    [
      /^\(2\)No such file or directory: AH02297: Cannot access directory 'ROOT\/none\/' for log file 'none\/access_log' defined at ROOT\/conf\/httpd\.conf:LINE$/,
      'AH00014: Configuration check failed',
    ],
  ],
  ['a user who is not there', ['User no-such-user'], ['AH00543: httpd: bad user name no-such-user']],
]

for (const [what, lines, said] of MISTAKES) {
  t.test(`${what} ends the start with status 1, and nothing was started`, async (t) => {
    const server = await StagedServer.make(t)
    const line = server.configure(...lines) + 1
    const run = await server.run('-D', 'FOREGROUND')
    t.equal(run.status, 1)
    t.strictSame(run.stdout, [])
    const shown = run.stderr.map((text) =>
      text
        .replaceAll(server.root, 'ROOT')
        .replaceAll(MODULES, 'MODULES')
        .replaceAll(new RegExp(`\\b${line}\\b`, 'g'), 'LINE'),
    )
    t.match(
      shown.filter((text) => !text.startsWith('hint: ') || said.includes(text)),
      said,
    )
    t.equal(shown.filter((text) => !text.startsWith('hint: ') || said.includes(text)).length, said.length)
    nothingLeft(t, server)
    await noConnection(t, server)
  })
}

t.test('a configuration without Listen starts nothing', async (t) => {
  const server = await StagedServer.make(t)
  server.configure()
  writeFileSync(server.path('conf/httpd.conf'), server.read('conf/httpd.conf').replace(/^Listen .*$/m, ''))
  const { status, stderr } = await server.run('-D', 'FOREGROUND')
  t.equal(status, 1)
  t.strictSame(stderr.slice(0, 2), ['no listening sockets available, shutting down', 'AH00015: Unable to open logs'])
  nothingLeft(t, server)
})

t.test('a table of types that is missing ends the start, for httpd does', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(...load('mime'), 'TypesConfig conf/none.types')
  const { status, stderr } = await server.run('-D', 'FOREGROUND')
  t.equal(status, 1)
  t.strictSame(stderr, [`hint: the error log ${server.path('logs/error_log')} says why`])
  t.ok(server.errors().includes('AH00016: Configuration Failed'), server.errors().join('\n'))
  const reason = `[mime:error] (2)No such file or directory: AH01597: could not open mime types config file ${server.path('conf/none.types')}.`
  t.ok(server.errors().includes(reason), server.errors().join('\n'))
  t.notOk(existsSync(server.path('logs/httpd.pid')))
  await noConnection(t, server)
})

t.test('a log that cannot be opened ends the start', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(OPEN)
  mkdirSync(server.path('logs/error_log'))
  const folder = await server.run('-D', 'FOREGROUND')
  t.equal(folder.status, 1)
  t.strictSame(folder.stderr, [
    `(21)Is a directory: AH00091: httpd: could not open error log file ${server.path('logs/error_log')}.`,
    'AH00015: Unable to open logs',
  ])
  t.notOk(existsSync(server.path('logs/httpd.pid')))
  await noConnection(t, server)
})

t.test('a folder of logs that may not be written ends the start of a user who is not root', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(OPEN)
  chmodSync(server.path('logs'), 0o555)
  const run = await server.runAs(65_534, '-D', 'FOREGROUND')
  t.equal(run.status, 1)
  t.strictSame(run.stderr, [
    `(13)Permission denied: AH00091: httpd: could not open error log file ${server.path('logs/error_log')}.`,
    'AH00015: Unable to open logs',
  ])
  t.strictSame(readdirSync(server.path('logs')), [])
  await noConnection(t, server)
})

/** Ways to spoil a text file of passwords; the password of alice is `wonder` in the good one. */
const SPOILED_PASSWORDS: Readonly<Record<string, string | null>> = {
  missing: null,
  empty: '',
  'without a colon': 'alice\n',
  'without a hash': 'alice:\n',
  'with a hash cut short': `alice:${sha('wonder').slice(0, 20)}\n`,
  'with a hash of no known kind': 'alice:$9$wonder\n',
  'with half a bcrypt hash': 'alice:$2y$05$c4WoMPo3SXsafkva\n',
  'with an absurd cost': `alice:$2y$99$${'a'.repeat(53)}\n`,
  'of NUL bytes': '\0'.repeat(10_000),
  'of random bytes': noise('x'),
  'of one very long line': `alice${'x'.repeat(1_000_000)}:${sha('wonder')}`,
  'with the name of somebody else': `alicea:${sha('wonder')}\nalic:${sha('wonder')}\n`,
  'whose first entry for the user is another': `alice:${sha('other')}\nalice:${sha('wonder')}\n`,
}

const SPOILED_GROUPS: Readonly<Record<string, string | null>> = {
  missing: null,
  empty: '',
  'without a colon': 'editors alice\n',
  'with the user as group': 'alice: editors\n',
  'of random bytes': noise('y'),
  'of NUL bytes': 'editors:\0alice\n',
}

t.test('damaged files of users and groups deny access', async (t) => {
  const server = await StagedServer.make(t)
  const locations: string[] = []
  const protect = (path: string, ...lines: readonly string[]): void => {
    server.file(`htdocs/${path}`, 'secret')
    locations.push(`<Location /${path}>`, 'AuthType Basic', 'AuthName x', ...lines, '</Location>')
  }
  const names: string[] = []
  const add = (kind: string, what: string, ...lines: readonly string[]): void => {
    const path = `${kind}-${names.length}`
    names.push(`a file of ${kind} ${what}`)
    protect(path, ...lines)
  }
  server.file('conf/good', `alice:${sha('wonder')}\n`)
  server.file('conf/good-groups', 'editors: alice\n')
  const byFile = (file: string): string[] => ['AuthBasicProvider file', `AuthUserFile ${file}`]
  for (const [what, content] of Object.entries(SPOILED_PASSWORDS)) {
    const file = `conf/users-${names.length}`
    if (content !== null) server.file(file, Buffer.from(content, 'latin1'))
    add('passwords', what, ...byFile(file), 'Require valid-user')
  }
  for (const [what, content] of Object.entries(SPOILED_GROUPS)) {
    const file = `conf/groups-${names.length}`
    if (content !== null) server.file(file, Buffer.from(content, 'latin1'))
    add('groups', what, ...byFile('conf/good'), `AuthGroupFile ${file}`, 'Require group editors')
  }
  mkdirSync(server.path('conf/folder'))
  add('passwords', 'that is a folder', ...byFile('conf/folder'), 'Require valid-user')
  add('groups', 'that is a folder', ...byFile('conf/good'), 'AuthGroupFile conf/folder', 'Require group editors')
  chmodSync(server.file('conf/locked', `alice:${sha('wonder')}\n`), 0o000)
  chmodSync(server.file('conf/locked-groups', 'editors: alice\n'), 0o000)
  add('passwords', 'that may not be read', ...byFile('conf/locked'), 'Require valid-user')
  add('groups', 'that may not be read', ...byFile('conf/good'), 'AuthGroupFile conf/locked-groups', 'Require group editors')
  for (const [what, spoil] of Object.entries(SPOILED_DBM)) {
    for (const [kind, value] of [
      ['passwords', sha('wonder')],
      ['groups', 'editors'],
    ] as const) {
      const file = `conf/dbm-${names.length}`
      writeSdbm(server.path(file), 'alice', value)
      spoil(server.path(file))
      const lines =
        kind === 'passwords'
          ? ['AuthBasicProvider dbm', 'AuthDBMType SDBM', `AuthDBMUserFile ${file}`, 'Require valid-user']
          : [...byFile('conf/good'), 'AuthzDBMType SDBM', `AuthDBMGroupFile ${file}`, 'Require dbm-group editors']
      add(kind, `in a DBM that is ${what}`, ...lines)
    }
  }
  protect('right', ...byFile('conf/good'), 'AuthGroupFile conf/good-groups', 'Require group editors')
  server.configure(
    ...load('authn_core', 'auth_basic', 'authn_file', 'authn_dbm', 'authz_core', 'authz_user', 'authz_groupfile', 'authz_dbm'),
    ...locations,
  )
  await server.start()
  t.match(await server.get('/right', ALICE), { status: 200, body: 'secret' }, 'with files as they should be')
  for (const [index, name] of names.entries()) {
    const kind = name.split(' ')[3]
    for (const [who, credentials] of [
      ['alice', ALICE],
      ['alice without a password', EMPTY],
    ] as const) {
      const { status, body } = await server.get(`/${kind}-${index}`, credentials)
      t.ok([401, 403, 500].includes(status), `${name}: ${status} for ${who}`)
      t.notMatch(body, 'secret', name)
    }
  }
  t.match(await server.get('/right', ALICE), { status: 200 }, 'and the server goes on')
  t.match(await server.stop(), { status: 0, stderr: [] })
})

t.test('a file of users that is spoiled while the server runs closes, and opens when it is mended', async (t) => {
  const server = await StagedServer.make(t)
  const good = `alice:${sha('wonder')}\n`
  server.file('conf/users', good)
  server.file('htdocs/f', 'secret')
  server.configure(
    ...load('authn_core', 'auth_basic', 'authn_file', 'authz_core', 'authz_user'),
    '<Location />',
    'AuthType Basic',
    'AuthName x',
    'AuthBasicProvider file',
    'AuthUserFile conf/users',
    'Require valid-user',
    '</Location>',
  )
  await server.start()
  t.equal((await server.get('/f', ALICE)).status, 200)
  for (const [content, statuses] of [
    ['', [401]],
    [good, [200]],
    [`alice:${sha('other!')}\n`, [401]],
    [good, [200]],
    ['\0\0', [401, 500]],
    [good, [200]],
  ] as const) {
    server.file('conf/users', content)
    const { status } = await server.get('/f', ALICE)
    t.ok(
      statuses.some((one) => one === status),
      `${JSON.stringify(content)} ${status}`,
    )
  }
})

/** Ways to spoil the two files of an SDBM. */
const SPOILED_DBM: Readonly<Record<string, (path: string) => void>> = {
  'half there': (path) => truncateSync(`${path}.pag`, 100),
  'empty in its pages': (path) => truncateSync(`${path}.pag`, 0),
  'made of NUL bytes': (path) => writeFileSync(`${path}.pag`, Buffer.alloc(1024)),
  'made of ones': (path) => writeFileSync(`${path}.pag`, Buffer.alloc(1024, 0xff)),
  'without its pages': (path) => rmSync(`${path}.pag`),
  'without its directory': (path) => rmSync(`${path}.dir`),
  'a folder where its pages should be': (path) => {
    rmSync(`${path}.pag`)
    mkdirSync(`${path}.pag`)
  },
  'one that may not be read': (path) => chmodSync(`${path}.pag`, 0o000),
  'overwritten in its index': (path) => {
    const bytes = readFileSync(`${path}.pag`)
    bytes.fill(0x7f, 0, 8)
    writeFileSync(`${path}.pag`, bytes)
  },
}

function writeSdbm(path: string, key: string, value: string): void {
  const writer = openDbmWriter(path, 'SDBM', 'create')
  writer.insert(Buffer.from(key, 'latin1'), Buffer.from(value, 'latin1'))
  writer.close()
  for (const ending of ['.dir', '.pag']) chmodSync(`${path}${ending}`, 0o644)
}

function nothingLeft(t: Test, server: StagedServer): void {
  t.strictSame(readdirSync(server.path('logs')), [], 'no pid file, no log')
}

async function noConnection(t: Test, server: StagedServer): Promise<void> {
  t.notOk(await canConnect(server.port), 'nobody listens')
}
