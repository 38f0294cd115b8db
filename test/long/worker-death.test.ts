import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildModule } from '@gatewright/module-kit'
import t, { type Test } from 'tap'
import { childrenOf, gone } from '../fixtures/processes.ts'
import { MODULES, StagedServer } from '../fixtures/staged-server.ts'
import { until } from '../fixtures/until.ts'
import { type Mix, WHOLE_MIX } from '../load/habits.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'
import { killUnderLoad } from '../load/worker-kill.ts'

const FAULTY = join(import.meta.dirname, '../fixtures/mod_faulty/src/index.ts')
/** A worker that lived shorter is not replaced at once. */
const SHORT_LIFE = 1_000

t.test('a killed worker fails only its own requests, and is replaced at once', async (t) => {
  await diesWell(t, 2, WHOLE_MIX)
})

t.test('while the only worker is replaced new connections wait and are served', async (t) => {
  const site = await diesWell(t, 1, { closing: 8, busy: 4, waiting: 2, downloading: 1 })
  t.match(await site.server.get('/small.txt'), { status: 200 })
})

async function diesWell(t: Test, workers: number, mix: Mix): Promise<ServerUnderLoad> {
  const site = await ServerUnderLoad.start(t, { workers, mix })
  const { load } = site
  await lived(SHORT_LIFE)
  const [victim, ...others] = site.workers()
  const kill = await killUnderLoad(site, victim)
  await load.answers(300)
  t.strictSame(
    kill.replacedBy.filter((pid) => others.includes(pid) || pid === victim),
    [],
  )
  t.equal(kill.replacedBy.length, 1, 'one new process')
  t.strictSame(site.workers().sort(), [...others, ...kill.replacedBy].sort())
  t.ok(kill.msToSuccessor < 1_000, `a successor is there after ${Math.round(kill.msToSuccessor)} ms`)

  const report = await load.stop()
  t.equal(report.right + report.failed, report.requests)
  t.ok(report.failed <= kill.mayFail(), `${report.failed} failed, ${kill.mayFail()} were under way`)
  for (const { kind, worker, detail } of load.failures) {
    t.match(kind, /^(reset|closed) /, detail)
    t.ok(worker === null || worker === victim, `it was with the worker that died, not with ${worker}`)
  }
  t.ok(site.server.errors().includes(`[core:notice] AH00052: child pid ${victim} exit signal Killed (9)`))
  return site
}

t.test('a worker that ends repeatedly is replaced after growing pauses, until the cause is removed', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 1, mix: { closing: 1 } })
  const { server } = site
  await site.load.stop()
  const deaths = await dyingAgainAndAgain(site)
  t.match(deaths, [/ended with exit status 8/, /ended with exit status 7/])
  const exits = server.errors().filter((line) => line.includes('code calls process.exit'))
  t.match(
    exits[0],
    /^\[faulty:crit\] this worker ends, because code calls process\.exit: Error: process\.exit\(8\) at .*mod_faulty\.mjs/,
  )
  const pauses = server.errors().filter((line) => line.includes('the next one starts in'))
  t.match(pauses.slice(0, 2), [
    /^\[mpm_event:warn\] workers end repeatedly: the next one starts in 1 second$/,
    /^\[mpm_event:warn\] workers end repeatedly: the next one starts in 2 seconds$/,
  ])

  rmSync(server.path('conf/cause'))
  const answer = await server.get('/small.txt')
  t.equal(answer.status, 200, 'a connection of the time between is served')
  t.equal(site.workers().length, 1)
  t.match(await server.stop(), { status: 0 })
})

t.test('a worker that runs out of memory is reported with a solution, and is replaced', async (t) => {
  const server = await StagedServer.make(t)
  server.file('htdocs/small.txt', 'small\n')
  await buildModule({ entry: FAULTY, outFile: server.path('modules/mod_faulty.mjs') })
  server.configure(
    `LoadModule authz_core_module ${MODULES}/mod_authz_core.so`,
    'LoadModule faulty_module modules/mod_faulty.so',
    '<Location />',
    'Require all granted',
    '</Location>',
  )
  await server.startWithNodeOptions('--max-old-space-size=48')
  const [victim] = childrenOf(server.pid)
  await t.rejects(server.get('/hoard'), 'its client is cut off')
  const crit = `[core:crit] child pid ${victim} ran out of memory and ended; its connections were closed, and it is replaced`
  await until('it is told', () => server.errors().includes(crit))
  t.match(server.errors()[server.errors().indexOf(crit) + 1], /^hint: .*NODE_OPTIONS=--max-old-space-size=/)
  t.match(await server.get('/small.txt'), { status: 200 }, 'its successor serves')
  t.notOk(childrenOf(server.pid).includes(victim))
  t.match(await server.stop(), { status: 0 })
})

t.test('a reload without the cause does not wait for the next worker of the old configuration', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 1, mix: { closing: 1 } })
  const { server } = site
  await site.load.stop()
  await dyingAgainAndAgain(site)
  await until('nobody is there', () => site.workers().length === 0)
  const answer = server.get('/small.txt')
  site.configure()
  await site.reload('SIGUSR1')
  t.equal((await answer).status, 200, 'a connection of the time between is served')
  t.match(await server.stop(), { status: 0 })
})

/** Has the only worker end, and each successor soon after its start, until two have. */
async function dyingAgainAndAgain(site: ServerUnderLoad): Promise<string[]> {
  const { server } = site
  await buildModule({ entry: FAULTY, outFile: server.path('modules/mod_faulty.mjs') })
  site.configure('LoadModule faulty_module modules/mod_faulty.so', `DieWhile ${server.path('conf/cause')}`)
  await gone(await site.reload('SIGUSR1'))
  server.file('conf/cause', '')
  await server.get('/die').catch(() => undefined)
  const deaths = (): string[] => server.errors().filter((line) => /child pid \d+ ended with exit status/.test(line))
  await until('the second worker has ended', () => deaths().length >= 2)
  return deaths()
}

/** Waits until the present workers have lived for so long. */
function lived(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
