import t from 'tap'
import { gone } from './fixtures/processes.ts'
import { ServerUnderLoad } from './load/server-under-load.ts'

t.test('-X serves with one worker in the foreground, and INT ends it', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 4, mix: { closing: 2, busy: 2 }, args: ['-X'] })
  const workers = site.workers()
  t.equal(workers.length, 1, 'whatever WorkerProcesses says')
  const report = await site.load.stop()
  t.strictSame(report.failures, {})
  t.match(await site.server.stop('SIGINT'), { status: 0, stdout: [] })
  await gone(workers)
})
