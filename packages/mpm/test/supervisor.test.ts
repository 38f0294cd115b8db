import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort, Trial } from './fixtures/trial.ts'

const trial = async (t: Test): Promise<Trial> => {
  const made = new Trial(t.testdir({}), await freePort())
  t.teardown(() => made.supervisor.stop('SIGTERM'))
  return made
}
const pidIn = (answer: string): number => JSON.parse(answer).pid

t.test('a server starts, reports that, and stops leaving only its log', async (t) => {
  const server = await trial(t)
  server.configure()
  const status = server.supervisor.run()
  await server.serving
  t.equal(readFileSync(join(server.folder, 'httpd.pid'), 'latin1'), `${process.pid}\n`)
  t.match(JSON.parse(await server.get('/')), { generation: 0 })
  t.match(server.lines, [/^err: \[.*\] \[core:warn\] \[pid \d+:tid \d+\] AH00111: a warning$/])

  server.supervisor.stop('SIGTERM')
  t.equal(await status, 0)
  t.notOk(existsSync(join(server.folder, 'httpd.pid')))
  t.strictSame(server.log(), [
    '[core:warn] AH00111: a warning',
    '[mpm_event:notice] AH00489: Stand-in/1.0 configured -- resuming normal operations',
    '[mpm_event:info] AH00490: Server built: 2020-01-01T00:00:00',
    "[core:notice] AH00094: Command line: 'httpd -D FOREGROUND'",
    `[core:info] AH00096: removed PID file ${server.folder}/httpd.pid (pid=${process.pid})`,
    '[mpm_event:notice] AH00491: caught SIGTERM, shutting down',
  ])
})

t.test('a burst of connections is spread over the workers', async (t) => {
  const server = await trial(t)
  server.configure()
  void server.supervisor.run()
  await server.serving
  const answers = await Promise.all(Array.from({ length: 40 }, () => server.get('/')))
  t.equal(new Set(answers.map(pidIn)).size, 2)
})

t.test('a configuration that is refused ends the start with its lines', async (t) => {
  const server = await trial(t)
  server.configure({ reader: 'refuses' })
  t.equal(await server.supervisor.run(), 1)
  t.strictSame(server.lines, ['err: AH00526: Syntax error on line 1 of x:', 'err: wrong'])
  t.notOk(existsSync(join(server.folder, 'error.log')))
})

t.test('a module that ends the reader is named', async (t) => {
  const server = await trial(t)
  server.configure({ reader: 'ends' })
  t.equal(await server.supervisor.run(), 1)
  t.match(server.lines, [/its reader ended with exit status 0, while loading \/modules\/mod_quitter\.mjs$/])
})

t.test('a worker that cannot start ends the start, and nothing was ever accepted', async (t) => {
  const server = await trial(t)
  server.configure({ worker: 'refuses' }, { workers: 4 })
  t.equal(await server.supervisor.run(), 1)
  t.equal(server.lines.at(-1), 'err: (13)Permission denied: AH00649: could not open a log')
  t.notOk(existsSync(join(server.folder, 'httpd.pid')))
  t.strictSame(
    server.log(),
    ['[core:warn] AH00111: a warning', 'AH00649: could not open a log'],
    'the first worker alone has reported it',
  )

  const other = await trial(t)
  other.configure({ worker: 'ends' })
  t.equal(await other.supervisor.run(), 1, 'even when it ended with status 0')
  t.match(other.lines.at(-1), /ended before it was ready: exit status 0/)
})

t.test("a port in use is reported with httpd's message and a hint", async (t) => {
  const server = await trial(t)
  const other = net.createServer().listen(server.port, '127.0.0.1')
  await once(other, 'listening')
  server.configure()
  t.equal(await server.supervisor.run(), 1)
  other.close()
  t.strictSame(server.lines.slice(1, 4), [
    `err: (98)Address already in use: AH00072: make_sock: could not bind to address 127.0.0.1:${server.port}`,
    'err: no listening sockets available, shutting down',
    'err: AH00015: Unable to open logs',
  ])
  t.match(server.lines[4], /^err: hint: Listen /)
})

t.test('a second server on the same port is refused although it could share', async (t) => {
  const first = await trial(t)
  first.configure()
  void first.supervisor.run()
  await first.serving
  const second = new Trial(t.testdir({ second: {} }), first.port)
  second.configure({}, { pidFile: join(second.folder, 'second.pid') })
  t.equal(await second.supervisor.run(), 1)
  t.match(second.lines, [/AH00111/, /AH00072/])
})

t.test('no Listen line is no server', async (t) => {
  const server = await trial(t)
  server.configure({}, { listeners: [] })
  t.equal(await server.supervisor.run(), 1)
  t.strictSame(server.lines.slice(1, 3), [
    'err: no listening sockets available, shutting down',
    'err: AH00015: Unable to open logs',
  ])
})

t.test(
  'a server that runs already is left alone, a damaged pid file ends the start, and an old one is replaced with a warning',
  async (t) => {
    const server = await trial(t)
    server.configure()
    const pidFile = join(server.folder, 'httpd.pid')
    writeFileSync(pidFile, `${process.ppid}\n`)
    t.equal(await server.supervisor.run(), 0)
    t.equal(server.lines.at(-1), `out: httpd (pid ${process.ppid}) already running`)

    const damaged = await trial(t)
    damaged.configure()
    writeFileSync(pidFile, 'garbage')
    t.equal(await damaged.supervisor.run(), 1)
    t.equal(damaged.lines.at(-1), 'err: AH00059: Remove it before continuing if it is corrupted.')

    const unclean = await trial(t)
    unclean.configure()
    writeFileSync(pidFile, '4194303\n')
    void unclean.supervisor.run()
    await unclean.serving
    t.equal(unclean.log()[1], `[core:warn] AH00098: pid file ${pidFile} overwritten -- Unclean shutdown of previous Apache run?`)
  },
)

t.test('a pid file that cannot be written ends the start', async (t) => {
  const server = await trial(t)
  server.configure({}, { pidFile: join(server.folder, 'missing/httpd.pid') })
  t.equal(await server.supervisor.run(), 1)
  t.match(server.lines.slice(-2), [
    /^err: \(2\)No such file or directory: AH00099: could not create /,
    /^err: AH00100: httpd: could not log pid to file /,
  ])
})

t.test('a worker that dies is replaced, and so is one that is broken', async (t) => {
  const server = await trial(t)
  server.configure({}, { workers: 1 })
  void server.supervisor.run()
  await server.serving
  const first = pidIn(await server.get('/'))
  // The replacement of a worker that lived for less than a second would be delayed.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  await t.rejects(server.get('/die'))
  const second = pidIn(await server.get('/'))
  t.not(second, first)
  t.equal(server.log().at(-1), '[core:error] child pid N ended with exit status 3 and is replaced')

  await new Promise((resolve) => setTimeout(resolve, 1_100))
  t.equal(await server.get('/broken'), 'broken')
  await server.until((answer) => pidIn(answer) !== second)
})

t.test('the numbers of ended workers stay with their slot', async (t) => {
  const server = await trial(t)
  server.configure({}, { workers: 1 })
  void server.supervisor.run()
  await server.serving
  for (let count = 0; count < 5; count++) await server.get('/')
  server.supervisor.reload('SIGUSR1')
  await server.until((answer) => JSON.parse(answer).generation === 1)
  const workers = JSON.parse(await server.until((answer) => JSON.parse(answer).length === 1, '/status'))
  t.match(workers, [{ slot: 0, generation: 1 }])
  t.ok(workers[0].accesses >= 7, `${workers[0].accesses} accesses`)
})
