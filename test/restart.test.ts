import t from 'tap'
import { gone } from './fixtures/processes.ts'
import type { FailureKind } from './load/failure.ts'
import { mostUnderWay, WHOLE_MIX } from './load/habits.ts'
import { ServerUnderLoad } from './load/server-under-load.ts'

t.test('a restart that is not graceful costs only requests that old workers have, and no connection is refused', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: WHOLE_MIX })
  const { load } = site
  const restarts = 3
  const atMost = restarts * mostUnderWay(WHOLE_MIX)
  const former: number[] = []
  for (let restart = 0; restart < restarts; restart++) {
    former.push(...(await site.reload('SIGHUP')))
    await gone(former)
    await load.answers(300)
  }
  const report = await load.stop()
  t.equal(report.right + report.failed, report.requests)
  t.ok(report.failed <= atMost, `${report.failed} of at most ${atMost} requests in flight`)
  for (const { kind, worker, detail } of load.failures) {
    t.ok(CUT_OFF.has(kind), `${kind} ${detail}`)
    t.ok(worker === null || former.includes(worker), `${worker} was an old worker`)
  }
})

/** The failures of requests whose worker ends. */
const CUT_OFF: ReadonlySet<FailureKind> = new Set([
  'reset before the first byte',
  'reset in the answer',
  'closed without answer',
  'closed in the answer',
])
