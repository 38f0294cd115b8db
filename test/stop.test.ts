import { existsSync } from 'node:fs'
import t, { type Test } from 'tap'
import { isRunning } from './fixtures/processes.ts'
import { canConnect } from './fixtures/staged-server.ts'
import { type Mix, WHOLE_MIX } from './load/habits.ts'
import { comparedWithLog } from './load/log-check.ts'
import { ServerUnderLoad } from './load/server-under-load.ts'

t.test('a stop in the middle of the work ends everything, and each answer that was given is in the access log', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: WHOLE_MIX })
  const { load, server } = site
  const processes = [server.pid, ...site.workers()]
  t.match(await server.stop('SIGTERM'), { status: 0, stdout: [], stderr: [] })
  await load.stop()
  t.match(comparedWithLog(site), { lost: [], duplicated: [] })
  await nothingLeft(t, site, processes)
  t.match(server.errors().at(-1), '[mpm_event:notice] AH00491: caught SIGTERM, shutting down')
})

t.test('lines of a buffered access log are written by a stop, too', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: WHOLE_MIX, lines: ['BufferedLogs On'] })
  t.match(await site.server.stop('SIGTERM'), { status: 0 })
  await site.load.stop()
  t.match(comparedWithLog(site), { lost: [], duplicated: [] })
})

t.test('a graceful stop answers what is under way, and then it is over', async (t) => {
  const mix: Mix = { waiting: 6, downloading: 4, uploading: 4 }
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: { ...mix, busy: 1 } })
  const { load, server } = site
  const processes = [server.pid, ...site.workers()]
  const ended = server.stop('SIGWINCH')
  const stopped = load.stop()
  t.match(await ended, { status: 0, stdout: [], stderr: [] })
  const report = await stopped
  for (const { kind, place, detail } of load.failures) t.strictSame([kind, place], ['connect refused', 'first'], detail)
  t.equal(report.right + report.failed, report.requests)
  t.match(comparedWithLog(site), { lines: report.right, lost: [], duplicated: [] })
  await nothingLeft(t, site, processes)
  t.match(server.errors().at(-1), '[mpm_event:notice] AH00492: caught SIGWINCH, shutting down gracefully')
})

async function nothingLeft(t: Test, { server }: ServerUnderLoad, processes: readonly number[]): Promise<void> {
  t.strictSame(processes.filter(isRunning), [], 'no process is left')
  t.notOk(existsSync(server.path('logs/httpd.pid')))
  t.notOk(await canConnect(server.port))
}
