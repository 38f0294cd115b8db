import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { COMPILED_IN } from '../src/compiled-in.ts'
import { COMPILED_IN_NAMES } from '../src/compiled-in-names.ts'
import { buildProgram, Site } from './fixtures/site.ts'

const UNUSED_PORT = 65_535
const program = await buildProgram(t.testdir({}))
const site = (t: Test): Site => new Site(program, t.testdir({}), UNUSED_PORT)

t.test('-l lists what is compiled in', async (t) => {
  const { status, stdout } = await site(t).run('-l')
  t.equal(status, 0)
  t.strictSame(stdout, ['Compiled in modules:', ...COMPILED_IN_NAMES.map((name) => `  ${name}`)])
  t.strictSame(
    COMPILED_IN.filter(({ source }) => !COMPILED_IN_NAMES.includes(source)),
    [],
  )
})

t.test('-v names the product', async (t) => {
  const { status, stdout } = await site(t).run('-v')
  t.equal(status, 0)
  t.match(stdout, [/^Server version: Gatewright\/\d+\.\d+\.\d+ \(Unix\)$/, /^Server built: {3}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/])
})

t.test('a mistake on the command line gives the usage and status 1', async (t) => {
  const { status, stderr } = await site(t).run('-Z')
  t.equal(status, 1)
  t.strictSame(stderr.slice(0, 2), ['httpd: illegal option -- Z', 'Usage: httpd [-D name] [-d directory] [-f file]'])
})

t.test('-t reports whether the configuration is valid', async (t) => {
  const made = site(t)
  t.strictSame(await made.run('-t'), { status: 0, stdout: [], stderr: ['Syntax OK'] })
  const broken = await made.run('-t', '-c', 'NoSuchDirective on')
  t.equal(broken.status, 1)
  t.match(broken.stderr[0], /^AH00526: Syntax error on line 1 of -c\/-C directives:$/)
  t.match((await made.run('-t', '-f', 'conf/none.conf')).stderr, [
    `httpd: Could not open configuration file ${made.root}/conf/none.conf: No such file or directory`,
  ])
})

t.test('a configuration that fails without the variables of its envvars file ends with a hint how to set them', async (t) => {
  const made = site(t)
  writeFileSync(join(made.root, 'conf/envvars'), 'export GATEWRIGHT_TEST_RUN=/run/x\n')
  appendFileSync(join(made.root, 'conf/httpd.conf'), 'DefaultRuntimeDir ${GATEWRIGHT_TEST_RUN}\n')
  const { status, stderr } = await made.run('-t')
  t.equal(status, 1)
  t.equal(
    stderr.at(-1),
    `hint: ${made.root}/conf/envvars sets \${GATEWRIGHT_TEST_RUN}: run APACHE_CONFDIR=${made.root}/conf apachectl, or read the file first: . ${made.root}/conf/envvars`,
  )
})

t.test('-t knows users and groups that do not exist', async (t) => {
  const made = site(t)
  t.strictSame(await made.run('-t', '-c', 'User no-such-user'), {
    status: 1,
    stdout: [],
    stderr: ['AH00543: httpd: bad user name no-such-user'],
  })
  t.strictSame(await made.run('-t', '-c', 'Group no-such-group'), {
    status: 1,
    stdout: [],
    stderr: ['AH00544: httpd: bad group name no-such-group'],
  })
})

t.test('-E receives the messages of the start', async (t) => {
  const made = site(t)
  t.strictSame(await made.run('-t', '-E', 'logs/start.log'), { status: 0, stdout: [], stderr: [] })
  t.equal(readFileSync(join(made.root, 'logs/start.log'), 'latin1'), 'Syntax OK\n')
  t.strictSame((await made.run('-t', '-E', 'none/start.log')).stderr, [
    '(2)No such file or directory: AH00086: httpd: could not open error log file none/start.log.',
    'Syntax OK',
  ])
})

t.test('a file below a file is reported in the words of the system, as httpd does', async (t) => {
  const made = site(t)
  t.match((await made.run('-t', '-f', 'conf/httpd.conf/below')).stderr, [
    `httpd: Could not open configuration file ${made.root}/conf/httpd.conf/below: Not a directory`,
  ])
  t.strictSame((await made.run('-t', '-E', 'conf/httpd.conf/below')).stderr, [
    '(20)Not a directory: AH00086: httpd: could not open error log file conf/httpd.conf/below.',
    'Syntax OK',
  ])
  t.match((await made.run('-t', '-c', `LoadModule x_module ${made.root}/conf/httpd.conf/x.so`)).stderr, [
    /\/x\.so: cannot open shared object file: Not a directory/,
  ])
})

t.test('dumps come in the order of httpd and without a verdict', async (t) => {
  const { status, stdout, stderr } = await site(t).run('-M', '-S', '-D', 'DUMP_INCLUDES')
  t.equal(status, 0)
  t.strictSame(stderr, [])
  t.strictSame(
    stdout
      .filter((line) => /^(Included|VirtualHost|ServerRoot|Loaded| open_module)/.test(line))
      .map((line) => line.split(/[ :]/)[line.startsWith(' ') ? 1 : 0]),
    ['Included', 'VirtualHost', 'ServerRoot', 'Loaded', 'open_module'],
  )
})

t.test('DUMP_HOOKS lists the modules with functions in each hook, in the order in which they run', async (t) => {
  const { status, stdout } = await site(t).run('-t', '-D', 'DUMP_HOOKS')
  t.equal(status, 0)
  const at = stdout.indexOf(' accessCheckerEx (run-first)')
  t.ok(at > 0, stdout.join('\n'))
  t.equal(stdout[at + 1], '   10 mod_open.c')
  t.ok(stdout.join('\n').includes(' translateName (run-first)\n   30 core.c\n'))
  t.ok(stdout.includes('Access decided: by request (mod_open.c)'), 'a module that declares nothing is named')
})

t.test('-V prints what is known about an unreadable configuration, and ends with status 1', async (t) => {
  const made = site(t)
  const broken = await made.run('-V', '-f', 'conf/none.conf')
  t.equal(broken.status, 1)
  t.ok(broken.stdout.includes('Server MPM:     '))
  t.ok((await made.run('-V')).stdout.includes('Server MPM:     event'))
})

t.test('-k stop and graceful-stop without a server change nothing', async (t) => {
  const made = site(t)
  for (const verb of ['stop', 'graceful-stop']) {
    t.strictSame(await made.run('-k', verb), { status: 0, stdout: ['httpd (no pid file) not running'], stderr: [] })
  }
  made.file('logs/httpd.pid', '4194303\n')
  t.strictSame((await made.run('-k', 'stop')).stdout, ['httpd (pid 4194303?) not running'])
  const broken = await made.run('-k', 'stop', '-c', 'NoSuchDirective on')
  t.equal(broken.status, 1, 'a broken configuration sends no signal')
  t.match(broken.stderr.at(-1), /^hint: no server was stopped: correct the configuration/)
  t.match(
    (await made.run('-k', 'graceful', '-c', 'NoSuchDirective on')).stderr.at(-1),
    /^hint: the running server was not signalled/,
  )
})

t.test('directives without effect are reported once, in one line', async (t) => {
  const made = site(t)
  made.configure('MinSpareThreads 5', 'KeepAlive On', 'MinSpareThreads 6', 'AcceptFilter http none')
  const file = `${made.root}/conf/httpd.conf`
  const { status, stderr } = await made.run('-t')
  t.equal(status, 0)
  t.equal(stderr.length, 2)
  t.match(
    stderr[0],
    new RegExp(
      `^hint: accepted without effect here, see -L: MinSpareThreads \\(${file}:\\d+\\), AcceptFilter \\(${file}:\\d+\\)$`,
    ),
  )
  t.equal(stderr[1], 'Syntax OK')
})

t.test('a .so path of another installation means the module of the same name here', async (t) => {
  const made = site(t)
  const folder = join(program, '../../modules')
  mkdirSync(folder, { recursive: true })
  made.module('elsewhere', '')
  renameSync(join(made.root, 'modules/mod_elsewhere.mjs'), join(folder, 'mod_elsewhere.mjs'))
  made.configure('LoadModule elsewhere_module /usr/lib/nowhere/mod_elsewhere.so')
  t.ok((await made.run('-M')).stdout.includes(' elsewhere_module (shared)'))
  made.configure('LoadModule ssl_module /usr/lib/nowhere/mod_ssl.so')
  const refused = await made.run('-t')
  t.equal(refused.status, 1)
  t.match(
    refused.stderr[0],
    /Cannot load \/usr\/lib\/nowhere\/mod_ssl\.so into server: \/usr\/lib\/nowhere\/mod_ssl\.so: cannot open shared object file/,
  )
  t.match(refused.stderr[1], /^hint: mod_ssl is not provided by this server yet: /)
})
