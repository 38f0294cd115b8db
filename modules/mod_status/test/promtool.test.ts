import { spawnSync } from 'node:child_process'
import t from 'tap'
import { exposition } from '../src/exposition.ts'
import { metricFamilies } from '../src/metrics.ts'
import { PROMETHEUS } from '../src/metrics-format.ts'
import { summarize } from '../src/summary.ts'
import { fakeStatus, fakeWorker, STARTED_AT } from './status.ts'

const skip = spawnSync('promtool', ['--version']).status === 0 ? false : 'needs promtool (package prometheus)'

t.test('promtool reads the metrics, and has no remark about their names, types and help texts', { skip }, async (t) => {
  const status = fakeStatus({ workers: [fakeWorker({ accesses: 3 }), fakeWorker({ slot: 1 })] })
  const summary = summarize(status, STARTED_AT + 25_500)
  const input = exposition(metricFamilies({ status, summary, serverName: 'host.test', banner: 'Gatewright/0.1.0' }), PROMETHEUS)
  const { stdout, stderr, ...checked } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })
  t.equal(`${stdout}${stderr}`, '')
  t.equal(checked.status, 0)
})
