import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { buildModule } from '@gatewright/module-kit'
import t, { type Test } from 'tap'
import { childrenOf } from '../fixtures/processes.ts'
import { MODULES, type Run, StagedServer } from '../fixtures/staged-server.ts'
import { until } from '../fixtures/until.ts'

const FAULTY = join(import.meta.dirname, '../fixtures/mod_faulty/src/index.ts')
const LINES = [
  `LoadModule authz_core_module ${join(MODULES, 'mod_authz_core.so')}`,
  'LoadModule faulty_module modules/mod_faulty.so',
  '<Location />',
  'Require all granted',
  '</Location>',
]

/** A server that answers `/none` with `first`. */
async function running(t: Test): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  mkdirSync(server.path('modules'))
  await buildModule({ entry: FAULTY, outFile: server.path('modules/mod_faulty.mjs') })
  server.configure(...LINES, 'ErrorDocument 404 first')
  await server.start()
  return server
}

function reload(server: StagedServer, ...lines: readonly string[]): Promise<Run> {
  server.configure(...LINES, ...lines)
  return server.run('-k', 'graceful')
}

/** The command has reported the error, and the server is unaffected. */
async function refused(
  t: Test,
  server: StagedServer,
  { status, stderr }: Run,
  ...told: readonly (string | RegExp)[]
): Promise<void> {
  t.equal(status, 1)
  t.match(stderr, [
    ...told,
    `httpd: the server (pid ${server.pid}) cannot use the new configuration and keeps its current one`,
    'hint: see the error log for details',
  ])
  t.equal((await server.get('/none')).body, 'first')
}

t.test('a reload is over when its command is: the new configuration serves', async (t) => {
  const server = await running(t)
  for (const [verb, body] of [
    ['graceful', 'second'],
    ['restart', 'third'],
    ['graceful', 'fourth'],
  ]) {
    server.configure(...LINES, `ErrorDocument 404 ${body}`)
    t.strictSame(await server.run('-k', verb), { status: 0, stdout: [], stderr: [] })
    t.equal((await server.get('/none')).body, body)
  }
})

t.test('commands that reload at the same time all wait for a reload that began after them', async (t) => {
  const server = await running(t)
  server.configure(...LINES, 'ErrorDocument 404 second')
  const first = server.run('-k', 'graceful')
  await until('the first has begun', () => server.errors().some((line) => line.includes('AH00493')))
  server.configure(...LINES, 'ErrorDocument 404 third')
  const others = await Promise.all([server.run('-k', 'graceful'), server.run('-k', 'graceful')])
  t.equal((await server.get('/none')).body, 'third')
  for (const { status } of [await first, ...others]) t.equal(status, 0)
})

t.test('a port in use is reported by the command', async (t) => {
  const server = await running(t)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : 0
  await refused(
    t,
    server,
    await reload(server, `Listen 127.0.0.1:${port}`),
    `(98)Address already in use: AH00072: make_sock: could not bind to address 127.0.0.1:${port}`,
    'no listening sockets available, shutting down',
    'AH00015: Unable to open logs',
    /^hint: Listen 127/,
  )
})

t.test(
  'a postConfig that refuses, a module that ends its worker, and logs that cannot be opened are told by the command',
  async (t) => {
    const server = await running(t)
    await refused(
      t,
      server,
      await reload(server, 'RefuseStart "not with this moon"'),
      'not with this moon',
      'AH00016: Configuration Failed',
    )
    await refused(
      t,
      server,
      await reload(server, 'PostConfigFault quits'),
      /^a worker \(pid \d+\) ended before it was ready: exit status 9/,
    )
    await refused(
      t,
      server,
      await reload(server, 'ErrorLog "|/no/such/program"'),
      "(2)No such file or directory: AH00089: Couldn't start ErrorLog process '/no/such/program'.",
      'AH00015: Unable to open logs',
    )
    mkdirSync(server.path('logs/folder'))
    await refused(
      t,
      server,
      await reload(server, 'ErrorLog logs/folder'),
      `(21)Is a directory: AH00091: httpd: could not open error log file ${server.path('logs/folder')}.`,
      'AH00015: Unable to open logs',
    )
    t.equal((await reload(server, 'ErrorDocument 404 second')).status, 0, 'and the next good one serves')
    t.equal((await server.get('/none')).body, 'second')
  },
)

t.test("an error that depends on the server's environment is reported by the command", async (t) => {
  const server = await running(t)
  server.configure(...LINES, 'Include ${FILE_OF_COMMAND}')
  const variables = { FILE_OF_COMMAND: server.file('conf/empty.conf', '') }
  await refused(
    t,
    server,
    await server.runWith(variables, '-k', 'graceful'),
    new RegExp(`^httpd: Syntax error on line \\d+ of ${server.path('conf/httpd.conf')}: .*FILE_OF_COMMAND`),
  )
})

t.test('a server that ends instead of reloading is reported by the command', async (t) => {
  const server = await running(t)
  server.configure(...LINES, 'PostConfigFault waits')
  const command = server.run('-k', 'graceful')
  await until('the new worker loads', () => childrenOf(server.pid).length > 1)
  await server.stop('SIGKILL')
  t.match(await command, { status: 1, stderr: [/^httpd: the server \(pid \d+\) ended before the new configuration was active$/] })
})

t.test('a program without a state file is only signalled', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(...LINES.slice(0, 1))
  const other = spawn('sh', ['-c', 'trap "exit 7" USR1; echo ready; while :; do sleep 0.05; done'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(other, 'exit')
  await once(other.stdout, 'data')
  server.file('logs/httpd.pid', `${other.pid}\n`)
  t.strictSame(await server.run('-k', 'graceful'), { status: 0, stdout: [], stderr: [] })
  t.strictSame(await ended, [7, null])
})
