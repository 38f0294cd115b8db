import { renameSync } from 'node:fs'
import t from 'tap'
import { gone } from './fixtures/processes.ts'
import type { Mix } from './load/habits.ts'
import { comparedWithLog } from './load/log-check.ts'
import { ServerUnderLoad } from './load/server-under-load.ts'

const MIX: Mix = { closing: 3, busy: 3, pausing: 4, pipelining: 2, waiting: 2, downloading: 1 }

t.test('renaming the logs and a graceful restart lose no line and write none twice', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: MIX })
  const { load, server } = site
  for (let rotation = 1; rotation <= 4; rotation++) {
    for (const log of ['access_log', 'error_log']) renameSync(server.path(`logs/${log}`), server.path(`logs/${log}.${rotation}`))
    const former = await site.reload('SIGUSR1')
    await load.answers(200)
    await gone(former)
    t.ok(server.read('logs/access_log').length > 0, 'the new file is in use')
    t.match(server.read('logs/error_log'), /AH00489/)
  }
  const report = await load.stop()
  t.strictSame(report.failures, {})
  t.match(await server.stop(), { status: 0 })
  t.strictSame(comparedWithLog(site), { lines: report.requests, lost: [], duplicated: [] })
})
