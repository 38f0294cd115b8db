import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { childrenOf, gone, isRunning } from '../fixtures/processes.ts'
import { canConnect, MODULES, StagedServer } from '../fixtures/staged-server.ts'
import { until } from '../fixtures/until.ts'
import type { Mix } from '../load/habits.ts'
import { comparedWithLog } from '../load/log-check.ts'
import { SuccessionUnderLoad } from '../load/succession-under-load.ts'

const OPEN = [
  `LoadModule authz_core_module ${join(MODULES, 'mod_authz_core.so')}`,
  '<Location />',
  'Require all granted',
  '</Location>',
]
const MIX: Mix = { closing: 3, busy: 3, pausing: 4, pipelining: 2, waiting: 2, downloading: 1, uploading: 1 }

t.test('the installed program takes over a server under load, and no request and no line is lost', async (t) => {
  const succession = await SuccessionUnderLoad.start(t, { workers: 2, mix: MIX })
  const { site, manager } = succession
  const first = site.server.pid
  const workers = site.workers()
  for (let times = 0; times < 2; times++) {
    t.match(await succession.upgrade(), { status: 0, stderr: [] })
    await site.load.answers(200)
  }
  t.not(succession.pid(), first)
  await gone([first, ...workers])
  t.equal(childrenOf(succession.pid()).length, 2)
  const report = await site.load.stop()
  t.strictSame(report.failures, {})

  const ready = manager.told().filter((line) => line.includes('READY=1'))
  t.equal(ready.at(-1), `/run/test/notify READY=1 MAINPID=${succession.pid()} STATUS=configuration 0 serves with 2 workers`)
  t.notOk(
    manager.told().some((line) => line.includes('STOPPING')),
    'nobody is told of an end',
  )
  const last = succession.pid()
  t.match(await site.server.run('-k', 'stop'), { status: 0 })
  await gone([last])
  t.strictSame(comparedWithLog(site), { lines: report.requests, lost: [], duplicated: [] })
})

/** A server in the background. */
async function inBackground(t: Test, ...lines: readonly string[]): Promise<{ server: StagedServer; pid: () => number }> {
  const server = await StagedServer.make(t)
  server.file('htdocs/a.txt', 'a\n')
  server.configure(...OPEN, ...lines)
  t.match(await server.run('-k', 'start'), { status: 0, stderr: [] })
  const pid = (): number => Number(server.read('logs/httpd.pid'))
  t.teardown(async () => {
    if (existsSync(server.path('logs/httpd.pid'))) await server.run('-k', 'stop')
  })
  return { server, pid }
}

t.test('a successor takes up a changed configuration, whose old addresses are closed', async (t) => {
  const other = await freePort()
  const { server, pid } = await inBackground(t, `Listen 127.0.0.1:${other}`)
  t.ok(await canConnect(other))
  const first = pid()
  server.configure(...OPEN, 'WorkerProcesses 2', 'CustomLog "|$cat >> @ROOT@/logs/piped" "%U"')
  t.match(await server.run('-k', 'upgrade'), { status: 0, stderr: [] })
  t.match(await server.get('/a.txt'), { status: 200 })
  await gone([first])
  t.notOk(await canConnect(other))
  t.match(await server.run('-k', 'graceful'), { status: 0 }, 'it can be reloaded')
  t.match(await server.run('-k', 'stop'), { status: 0 })
  await until('the program has written', () => server.read('logs/piped') === '/a.txt\n')
})

t.test('the figures of the server continue with its successors', async (t) => {
  const { server, pid } = await inBackground(
    t,
    `LoadModule status_module ${join(MODULES, 'mod_status.so')}`,
    '<Location /status>',
    'SetHandler server-status',
    '</Location>',
  )
  let asked = 0
  /** Waits for the sum of requests, to which each question adds one. @returns when the server says it was started */
  const startOnceCounted = async (files: number): Promise<string> => {
    let startedAt = ''
    await until(`${files} requests for files are counted`, async () => {
      const { server: facts, requests } = JSON.parse((await server.get('/status?json')).body)
      startedAt = facts.startedAt
      return requests.total - asked++ === files
    })
    return startedAt
  }
  for (let count = 0; count < 5; count++) t.match(await server.get('/a.txt'), { status: 200 })
  const startedAt = await startOnceCounted(5)
  for (let times = 0; times < 2; times++) {
    const former = pid()
    t.match(await server.run('-k', 'upgrade'), { status: 0, stderr: [] })
    await gone([former])
    await server.get('/a.txt')
  }
  t.equal(await startOnceCounted(7), startedAt)
})

t.test('a successor that cannot start changes nothing, and the command reports the reason', async (t) => {
  const { server, pid } = await inBackground(t)
  const first = pid()
  server.configure(...OPEN, 'CustomLog "|/nonexistent/program" "%U"')
  t.match(await server.run('-k', 'upgrade'), {
    status: 1,
    stderr: [
      "(2)No such file or directory: AH00104: unable to start piped log program '/nonexistent/program'",
      'AH00015: Unable to open logs',
      `httpd: the installed program cannot take over from the server (pid ${first}), which continues to run unchanged`,
      /^hint: /,
    ],
  })
  t.equal(pid(), first)
  t.match(await server.get('/a.txt'), { status: 200 })
  t.equal(
    server.errors().at(-1),
    '[mpm_event:error] the installed program cannot take over; the server continues to run unchanged',
  )
  server.configure(...OPEN)
  t.match(await server.run('-k', 'upgrade'), { status: 0 }, 'the next one may')
  t.not(pid(), first)
})

t.test('a server in the foreground is not taken over, and continues', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(...OPEN)
  const pid = await server.start()
  t.match(await server.run('-k', 'upgrade'), {
    status: 1,
    stderr: [
      /^httpd: the server \(pid \d+\) cannot be taken over: it runs in the foreground/,
      /^hint: stop it and start it again/,
    ],
  })
  server.signal('SIGUSR2')
  await until('the signal is answered', () => server.errors().some((line) => line.includes('cannot take over')))
  t.match(await server.get('/'), { status: 404 })
  t.ok(isRunning(pid))
})
