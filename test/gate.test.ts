import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION, MODULE_MAGIC_COOKIE, MODULE_MAGIC_NUMBER_MAJOR } from '@gatewright/api'
import { formatStamp } from '@gatewright/api/stamp'
import t, { type Test } from 'tap'
import { buildGateFiles, type GateFiles } from './fixtures/gate-files.ts'
import { MODULES, type Run, StagedServer } from './fixtures/staged-server.ts'

let files: GateFiles
let neverLoads: Promise<Run & { line: number }>
t.before(async () => {
  files = await buildGateFiles(t.testdir())
  // It takes the ten seconds of the deadline, in which the other tests run.
  neverLoads = check(t, 'x_module', 'modules/mod_x.so', (server) =>
    server.file('modules/mod_x.mjs', stamped('await new Promise(() => undefined)\n')),
  )
})

/** `httpd -t` with one LoadModule line; its output contains ROOT for the root. */
async function check(
  t: Test,
  name: string,
  path: string,
  prepare: (server: StagedServer) => void = () => undefined,
): Promise<Run & { line: number }> {
  const server = await StagedServer.make(t)
  mkdirSync(server.path('modules'))
  prepare(server)
  const line = server.configure(`LoadModule ${name} ${path}`) + 1
  const run = await server.run('-t')
  return { ...run, stderr: run.stderr.map((text) => text.replaceAll(server.root, 'ROOT')), line }
}

/** A file of the gate below the server root, under the name in LoadModule. */
const placed =
  (from: () => string) =>
  (server: StagedServer): void =>
    copyFileSync(from(), server.path('modules/mod_x.mjs'))

/** The error of a LoadModule line as the console shows it. */
const refused = (line: number, message: string): string =>
  `httpd: Syntax error on line ${line} of ROOT/conf/httpd.conf: ${message}`

const CANNOT = 'Cannot load modules/mod_x.so into server: ROOT/modules/mod_x.mjs: '

/** A file of the gate, the requested name, the message, and the required text of the hint. */
const REFUSED: readonly (readonly [keyof GateFiles, string, string, RegExp])[] = [
  [
    'old',
    'old_module',
    "API module structure 'old_module' in file ROOT/modules/mod_x.mjs is garbled - expected signature 41503234 but saw 41503232 - perhaps this is not an Apache module DSO, or was compiled for a different Apache version?",
    /^hint: mod_old was built for the 2\.2 module API, this server provides 2\.4: rebuild it .*apxs -c.*UPGRADING/,
  ],
  [
    'unstamped',
    'probe_module',
    `${CANNOT}invalid module file, its first line is not a stamp`,
    /^hint: modules are built, not written/,
  ],
  [
    'damaged',
    'probe_module',
    `${CANNOT}the file does not match the digest in its stamp`,
    /^hint: the file was truncated or edited/,
  ],
  [
    'newer',
    'probe_module',
    `Module "mod_probe.c" is not compatible with this version of Apache (found 20120211:99, need 20120211:${API_VERSION.split('.')[2]}). Please contact the vendor for the correct version.`,
    /^hint: it was built against API 2\.4\.99, this server provides 2\.4\.\d+/,
  ],
  [
    'otherLine',
    'probe_module',
    'Module "mod_probe.c" is not compatible with this version of Apache (found 20260101, need 20120211). Please contact the vendor for the correct version.',
    /^hint: rebuild it/,
  ],
  [
    'good',
    'wrong_module',
    "Can't locate API module structure `wrong_module' in file ROOT/modules/mod_x.mjs: ROOT/modules/mod_x.mjs: undefined symbol: wrong_module",
    /^hint: the file holds probe_module: LoadModule probe_module modules\/mod_x\.so$/,
  ],
]

for (const [kind, name, message, hint] of REFUSED) {
  t.test(`a module file that is ${kind} ends the start with httpd's message and advice`, async (t) => {
    const { status, stdout, stderr, line } = await check(
      t,
      name,
      'modules/mod_x.so',
      placed(() => files[kind]),
    )
    t.equal(status, 1)
    t.strictSame(stdout, [])
    t.equal(stderr[0], refused(line, message))
    t.match(stderr[1], hint)
    t.equal(stderr.length, 2)
  })
}

t.test('a module that was built here is loaded, by either ending of its name', async (t) => {
  for (const ending of ['so', 'mjs']) {
    const { status, stderr } = await check(
      t,
      'probe_module',
      `modules/mod_x.${ending}`,
      placed(() => files.good),
    )
    t.strictSame({ status, stderr }, { status: 0, stderr: ['Syntax OK'] })
  }
})

t.test('nothing of a module that is refused was run', async (t) => {
  // A module of the former line that creates a file when it runs.
  const server = await StagedServer.make(t)
  const body = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(server.path('ran'))}, '')\nexport default {}\n`
  const run = async (cookie: string): Promise<number | null> => {
    server.file('modules/mod_x.mjs', stamped(body, cookie))
    server.configure('LoadModule x_module modules/mod_x.so')
    return (await server.run('-t')).status
  }
  t.equal(await run('AP22'), 1)
  t.throws(() => server.read('ran'), { code: 'ENOENT' })
  t.equal(await run(MODULE_MAGIC_COOKIE), 1)
  t.equal(server.read('ran'), '', 'the same code runs once it is admitted')
})

t.test('a link to a module is a module, a folder or a dead link is none', async (t) => {
  const linked = await check(t, 'probe_module', 'modules/mod_x.so', ({ root }) =>
    symlinkSync(files.good, join(root, 'modules/mod_x.mjs')),
  )
  t.strictSame(linked.stderr, ['Syntax OK'])
  const folder = await check(t, 'probe_module', 'modules/mod_x.so', ({ root }) => mkdirSync(join(root, 'modules/mod_x.mjs')))
  t.equal(
    folder.stderr[0],
    refused(
      folder.line,
      'Cannot load modules/mod_x.so into server: ROOT/modules/mod_x.so: cannot read file data: Is a directory',
    ),
  )
  t.equal(folder.stderr[1], 'hint: ROOT/modules/mod_x.mjs is a folder: name the module file in it')
  const dead = await check(t, 'probe_module', 'modules/mod_x.so', ({ root }) =>
    symlinkSync('none', join(root, 'modules/mod_x.mjs')),
  )
  t.equal(
    dead.stderr[0],
    refused(
      dead.line,
      'Cannot load modules/mod_x.so into server: ROOT/modules/mod_x.so: cannot open shared object file: No such file or directory',
    ),
  )
  t.equal(dead.stderr[1], `hint: looked for ROOT/modules/mod_x.mjs and ${MODULES}/mod_x.mjs`)
})

t.test('a pipe or a device is not a module, and is not waited for', async (t) => {
  const make: readonly ((path: string) => unknown)[] = [
    (path) => execFileSync('mkfifo', [path]),
    (path) => symlinkSync('/dev/zero', path),
    (path) => symlinkSync('/dev/stdin', path),
  ]
  for (const place of make) {
    const { status, stderr, line } = await check(t, 'x_module', 'modules/mod_x.so', ({ root }) =>
      place(join(root, 'modules/mod_x.mjs')),
    )
    t.equal(status, 1)
    t.strictSame(stderr, [
      refused(line, 'Cannot load modules/mod_x.so into server: ROOT/modules/mod_x.so: cannot read file data: Not a regular file'),
      'hint: ROOT/modules/mod_x.mjs is a pipe, socket or device: name the file that apxs -c has built',
    ])
  }
})

t.test('an unreadable file is reported with the user that must read it', async (t) => {
  const server = await StagedServer.make(t)
  chmodSync(server.file('modules/mod_x.mjs', readFileSync(files.good)), 0o000)
  const line = server.configure('LoadModule probe_module modules/mod_x.so') + 1
  const { status, stderr } = await server.runAs(65534, '-t')
  t.equal(status, 1)
  t.strictSame(
    stderr.map((text) => text.replaceAll(server.root, 'ROOT')),
    [
      refused(
        line,
        'Cannot load modules/mod_x.so into server: ROOT/modules/mod_x.so: cannot open shared object file: Permission denied',
      ),
      'hint: the user that starts the server needs read permission on ROOT/modules/mod_x.mjs and search permission on the folders above it',
    ],
  )
})

t.test(
  'a shared object under its own name belongs to httpd, and the hint names the file that this server would load',
  async (t) => {
    const { status, stderr, line } = await check(t, 'x_module', 'modules/mod_x.so', (server) =>
      server.file('modules/mod_x.so', Buffer.from('\x7fELF\x02\x01', 'latin1')),
    )
    t.equal(status, 1)
    t.strictSame(stderr, [
      refused(
        line,
        'Cannot load modules/mod_x.so into server: ROOT/modules/mod_x.so: a module for httpd, which this server cannot run',
      ),
      `hint: looked for ROOT/modules/mod_x.mjs and ${MODULES}/mod_x.mjs`,
    ])
  },
)

t.test('a variable that has no value is named when the path with it leads nowhere', async (t) => {
  const { status, stderr } = await check(t, 'x_module', 'modules/mod_${NOSUCH}.so')
  t.equal(status, 1)
  t.match(stderr.at(-1), /^hint: the variable NOSUCH is not defined: write Define NOSUCH before this line; looked for /)
})

t.test('an empty file and a shared object of httpd are no modules', async (t) => {
  const empty = await check(t, 'x_module', 'modules/mod_x.so', (server) => server.file('modules/mod_x.mjs', ''))
  t.equal(empty.stderr[0], refused(empty.line, `${CANNOT}file too short`))
  const elf = await check(t, 'x_module', 'modules/mod_x.mjs', (server) =>
    server.file('modules/mod_x.mjs', Buffer.from('\x7fELF\x02\x01', 'latin1')),
  )
  t.equal(
    elf.stderr[0],
    refused(
      elf.line,
      'Cannot load modules/mod_x.mjs into server: ROOT/modules/mod_x.mjs: invalid module file, its first line is not a stamp',
    ),
  )
})

/** Code under a valid first line. */
function stamped(code: string, cookie = MODULE_MAGIC_COOKIE, name = 'x'): string {
  const digest = createHash('sha256').update(code).digest('hex')
  const identity = { module: `${name}_module`, source: `mod_${name}.c` }
  return formatStamp({ cookie, api: API_VERSION, magic: MODULE_MAGIC_NUMBER_MAJOR, ...identity, digest }) + code
}

const DEFINE = (body: string, name = 'x'): string =>
  `const module = { name: '${name}_module', source: 'mod_${name}.c', ${body} }\nmodule[Symbol.for('gatewright.module')] = true\nexport default module\n`

const ASK_AUTHOR = /^hint: the module fails while it loads: contact its author/
const IS_ESM = /^hint: write import and export default instead, and build it again/
const NOT_BUNDLED = /^hint: a module file must contain everything that it imports: build it again with apxs -c$/
const NO_DEFAULT = /^hint: the file must export default what defineModule\(\{ name: 'x_module', \.\.\. \}\) returns$/

/** Code that cannot be loaded, the message, and the hint. Line numbers include the stamp's line. */
const BROKEN: readonly (readonly [string, string, string | RegExp, RegExp])[] = [
  ['throws', "const a = 1\nthrow new Error('out of order')\n", `${CANNOT}3:7: out of order`, ASK_AUTHOR],
  ['throws what is no error', "throw 'a text'\n", `${CANNOT}a text`, ASK_AUTHOR],
  [
    'throws while it is registered',
    DEFINE("register() { throw new Error('not today') }"),
    `${CANNOT}not today`,
    /^hint: the module fails during registration: contact its author/,
  ],
  [
    'has a syntax error',
    'const a = 1\n\nconst b = ;\n',
    `${CANNOT}4: Unexpected token ';'`,
    /^hint: this Node cannot parse it \(v[\d.]+\): /,
  ],
  [
    'is CommonJS',
    'module.exports = {}\n',
    /^Cannot load modules\/mod_x\.so into server: ROOT\/modules\/mod_x\.mjs: .*module is not defined.*modules are ES modules/,
    IS_ESM,
  ],
  ['requires', "const fs = require('node:fs')\n", /require is not defined.*modules are ES modules/, IS_ESM],
  [
    'imports a package that is not there',
    "import x from 'no-such-package'\n",
    /Cannot find package 'no-such-package'.*\(it was not bundled: build it with apxs\)$/,
    NOT_BUNDLED,
  ],
  [
    'imports a file that is not there',
    "import x from './no-such-file.mjs'\n",
    /Cannot find module .*no-such-file\.mjs.*\(it was not bundled: build it with apxs\)$/,
    NOT_BUNDLED,
  ],
  [
    'imports a name that is not there',
    "import { nope } from 'node:fs'\n",
    /does not provide an export named 'nope'/,
    /^hint: an import is not available in this Node/,
  ],
  [
    'exports no module',
    'export default { name: "x_module" }\n',
    "Can't locate API module structure `x_module' in file ROOT/modules/mod_x.mjs: ROOT/modules/mod_x.mjs: undefined symbol: x_module",
    NO_DEFAULT,
  ],
  [
    'exports nothing',
    '\n',
    "Can't locate API module structure `x_module' in file ROOT/modules/mod_x.mjs: ROOT/modules/mod_x.mjs: undefined symbol: x_module",
    NO_DEFAULT,
  ],
  [
    'holds another module than its stamp says',
    DEFINE('', 'y'),
    "Can't locate API module structure `x_module' in file ROOT/modules/mod_x.mjs: ROOT/modules/mod_x.mjs: undefined symbol: x_module",
    /^hint: the file's code is y_module, which differs from its stamp: /,
  ],
]

for (const [what, code, message, hint] of BROKEN) {
  t.test(`a module that ${what} ends the start and is named`, async (t) => {
    const { status, stderr, line } = await check(t, 'x_module', 'modules/mod_x.so', (server) =>
      server.file('modules/mod_x.mjs', stamped(code)),
    )
    t.equal(status, 1)
    const prefix = refused(line, '')
    t.ok(stderr[0].startsWith(prefix), stderr[0])
    const said = stderr[0].slice(prefix.length)
    if (typeof message === 'string') t.equal(said, message)
    else t.match(said, message)
    t.match(stderr[1], hint)
    t.equal(stderr.length, 2)
  })
}

t.test('a module that ends the process while it is loaded ends the start, and is named', async (t) => {
  for (const status of [0, 3]) {
    const server = await StagedServer.make(t)
    server.file('modules/mod_x.mjs', stamped(`process.exit(${status})\n`))
    server.configure('LoadModule x_module modules/mod_x.so')
    const run = await server.run('-D', 'FOREGROUND')
    t.equal(run.status, 1, `even when it ends it with status ${status}`)
    t.match(run.stderr.join('\n').replaceAll(server.root, 'ROOT'), `exit status ${status}, while loading ROOT/modules/mod_x.mjs`)
  }
})

t.test('a module that ends the process while a configuration is checked does not make the check pass', async (t) => {
  for (const body of [
    'process.exit(0)',
    'process.exit(3)',
    'setImmediate(() => process.exit(0))\nawait new Promise(() => undefined)',
  ]) {
    const { status, stderr } = await check(t, 'x_module', 'modules/mod_x.so', (server) =>
      server.file('modules/mod_x.mjs', stamped(`${body}\n`)),
    )
    t.equal(status, 1, body)
    t.match(stderr[0], /^httpd: the process ended with status \d before .* loading ROOT\/modules\/mod_x\.mjs$/)
    t.notMatch(stderr.join('\n'), 'Syntax OK')
  }
})

t.test('a provider that two modules add ends the start with the line of the second', async (t) => {
  const server = await StagedServer.make(t)
  const register = "register({ providers }) { providers.authz.add('badge', { parse: () => () => 'granted' }) }"
  for (const name of ['a', 'b'])
    server.file(`modules/mod_${name}.mjs`, stamped(DEFINE(register, name), MODULE_MAGIC_COOKIE, name))
  const line = server.configure('LoadModule a_module modules/mod_a.so', 'LoadModule b_module modules/mod_b.so') + 2
  const { status, stderr } = await server.run('-t')
  t.equal(status, 1)
  t.equal(
    stderr[0].replaceAll(server.root, 'ROOT'),
    refused(
      line,
      'Cannot load modules/mod_b.so into server: ROOT/modules/mod_b.mjs: the authz provider badge of mod_b.c is already registered by mod_a.c',
    ),
  )
  t.equal(
    stderr[1],
    'hint: load only one of the two modules; a module that replaces the provider of another must pass { replace: true }',
  )
})

t.test('a second LoadModule with the same name is a warning, and its file is not read', async (t) => {
  const server = await StagedServer.make(t)
  server.file('modules/mod_x.mjs', readFileSync(files.good))
  server.configure('LoadModule probe_module modules/mod_x.so', 'LoadModule probe_module modules/none.so')
  const { status, stderr } = await server.run('-t')
  t.equal(status, 0)
  t.match(stderr, [/\[so:warn\] .*AH01574: module probe_module is already loaded, skipping$/, 'Syntax OK'])
})

t.test('a file that was edited after the start of the server is refused by the reload, and the old one serves on', async (t) => {
  const server = await StagedServer.make(t)
  server.file('modules/mod_x.mjs', readFileSync(files.good))
  server.configure('LoadModule probe_module modules/mod_x.so', '<Location />', 'SetHandler probe', '</Location>')
  const pid = await server.start()
  t.equal((await server.get('/')).status, 500, 'nobody grants access here')
  writeFileSync(server.path('modules/mod_x.mjs'), `${readFileSync(files.good, 'latin1')}// edited\n`, 'latin1')
  process.kill(pid, 'SIGUSR1')
  for (
    let tries = 0;
    tries < 200 && !server.errors().some((line) => line.includes('the file does not match the digest'));
    tries++
  ) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  t.match(
    server.errors().join('\n'),
    /Cannot load modules\/mod_x\.so into server: \S+: the file does not match the digest in its stamp/,
  )
  t.equal((await server.get('/')).status, 500)
  t.match(await server.stop(), { status: 0 })
})

t.test('a module that never finishes loading is given up after ten seconds', async (t) => {
  const { status, stderr, line } = await neverLoads
  t.equal(status, 1)
  t.equal(stderr[0], refused(line, `${CANNOT}the module did not finish loading within 10 seconds`))
})
