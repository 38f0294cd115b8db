import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { buildProgram, freePort, gone, Site } from './fixtures/site.ts'

const program = await buildProgram(t.testdir({}))
const site = async (t: Test): Promise<Site> => new Site(program, t.testdir({}), await freePort())

t.test('in the foreground the server serves, logs its life and leaves with SIGTERM', async (t) => {
  const made = await site(t)
  made.configure('LogLevel info')
  const { pid, end } = await made.start('-c', 'ServerAdmin a@b')
  t.equal(made.pid(), pid)
  t.strictSame(await made.get(), { status: 200, body: 'f\n' })
  process.kill(pid, 'SIGTERM')
  t.strictSame(await end, { status: 0, stdout: [], stderr: [] })
  t.match(made.log(), [
    /^\[mpm_event:notice\] AH00489: Gatewright\/\d+\.\d+\.\d+ \(Unix\) configured -- resuming normal operations$/,
    /^\[mpm_event:info\] AH00490: Server built: /,
    `[core:notice] AH00094: Command line: 'httpd -d ${made.root} -D FOREGROUND -c ServerAdmin a@b'`,
    /^\[core:info\] AH00096: removed PID file /,
    '[mpm_event:notice] AH00491: caught SIGTERM, shutting down',
  ])
  t.notOk(existsSync(join(made.root, 'logs/httpd.pid')))
})

t.test('a module that ends the process while it is loaded is named', async (t) => {
  const made = await site(t)
  made.module('quitter', '', 'process.exit(0)')
  made.configure('LoadModule quitter_module modules/mod_quitter.so')
  const { status, stderr } = await made.run('-D', 'FOREGROUND')
  t.equal(status, 1)
  t.match(stderr.at(-1), /exit status 0, while loading .*\/modules\/mod_quitter\.mjs$/)
})

t.test('an error that nothing caught is logged with its module, and the worker is replaced', async (t) => {
  const made = await site(t)
  made.module(
    'thrower',
    "hooks.handler.add((request) => { if (request.uri === '/throw') setTimeout(() => { throw new Error('late') }); return DECLINED })",
  )
  made.configure('LoadModule thrower_module modules/mod_thrower.so', 'WorkerProcesses 1')
  const { pid, end } = await made.start()
  await made.get('/throw')
  await made.until(() => made.log().some((line) => line.includes('late')))
  const told = made.log().find((line) => line.includes('late'))
  t.match(told, /^\[thrower:crit\] uncaught error; this worker is replaced: Error: late/)
  t.equal((await made.get()).status, 200)
  process.kill(pid, 'SIGTERM')
  await end
})

t.test('workers end when their supervisor is killed', async (t) => {
  const made = await site(t)
  const { pid, end } = await made.start()
  process.kill(pid, 'SIGKILL')
  await end
  for (let attempt = 0; attempt < 200; attempt++) {
    if (
      await made.get().then(
        () => false,
        () => true,
      )
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  await t.rejects(made.get(), { code: 'ECONNREFUSED' })
})

t.test('a worker without a supervisor completes its requests, even if its output has no reader any more', async (t) => {
  const made = await site(t)
  made.module(
    'orphan',
    `hooks.handler.add(async (request) => {
      if (request.uri !== '/orphan') return DECLINED
      await new Promise((resolve) => process.once('disconnect', resolve))
      process.stderr.write('to nobody\\n')
      await new Promise((resolve) => setTimeout(resolve, 50))
      return request.send('text/plain', 'answered')
    })`,
  )
  made.configure('LoadModule orphan_module modules/mod_orphan.so', 'WorkerProcesses 1')
  const { pid, end } = await made.start()
  const answer = made.get('/orphan')
  await made.get()
  process.kill(pid, 'SIGKILL')
  t.strictSame(await answer, { status: 200, body: 'answered' })
  await end
})

t.test('Ctrl-C reaches only the supervisor, whose workers still write their logs', async (t) => {
  const made = await site(t)
  made.configure('ErrorLog /dev/stderr', 'CustomLog /dev/stderr "%r"')
  const { pid, end } = await made.start()
  const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').map(Number)
  t.equal(workers.length, 2)
  for (const worker of workers) t.equal(sessionOf(worker), worker)
  t.not(sessionOf(pid), pid)
  await made.get()
  process.kill(pid, 'SIGINT')
  const { status, stderr } = await end
  t.equal(status, 0)
  t.match(stderr.slice(-2), ['GET /f.txt HTTP/1.1', /AH00491: caught SIGTERM, shutting down$/])
  for (const worker of workers) await gone(worker)
})

/** The session of a process, which a terminal's signals do not leave. */
function sessionOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(fields[3])
}

t.test('a worker that has served MaxConnectionsPerChild connections is replaced, and no connection is refused', async (t) => {
  const made = await site(t)
  made.module(
    'pid',
    "hooks.handler.add((request) => request.uri === '/pid' ? request.send('text/plain', `${process.pid}`) : DECLINED)",
  )
  made.configure('LoadModule pid_module modules/mod_pid.so', 'WorkerProcesses 1', 'MaxConnectionsPerChild 10')
  const { pid, end } = await made.start()
  const served = new Map<string, number>()
  while (served.size < 4) {
    const { status, body } = await made.get('/pid')
    t.equal(status, 200)
    served.set(body, (served.get(body) ?? 0) + 1)
  }
  const [, ...successors] = [...served.values()].slice(0, -1)
  t.ok(
    successors.every((count) => count >= 10),
    `${[...served.values()]}`,
  )
  await Promise.all([...served.keys()].slice(0, -1).map((former) => gone(Number(former))))
  t.strictSame(
    made.log().filter((line) => /error|warn|keep ending/.test(line)),
    [],
    'which is nothing to be told',
  )
  process.kill(pid, 'SIGTERM')
  t.match(await end, { status: 0, stderr: [] })
})

t.test('a low limit of open files is reported at the start, with a solution', async (t) => {
  const made = await site(t)
  await made.startWith('ulimit -n 300')
  const said = (): string | undefined => made.log().find((line) => line.includes('files and connections'))
  t.match(
    said(),
    /^\[core:warn\] a process can open at most 300 files and connections, few for a server: raise .*ulimit -n 65536/,
  )
  const pid = made.pid()
  await made.run('-k', 'stop')
  await gone(pid)
})

t.test('root gives up its rights for User and Group', { skip: process.geteuid?.() === 0 ? false : 'needs root' }, async (t) => {
  const made = await site(t)
  made.module(
    'who',
    "hooks.handler.add((request) => request.uri === '/who' ? request.send('text/plain', `${process.getuid()} ${process.getgid()} ${process.getgroups()}`) : DECLINED)",
  )
  made.configure('LoadModule who_module modules/mod_who.so')
  made.file('htdocs/who', '')
  const { pid, end } = await made.start()
  const [user, group] = (await made.get('/who')).body.split(' ')
  t.notOk(user === '0' || group === '0', `${user} ${group}`)
  process.kill(pid, 'SIGTERM')
  await end
})
