import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NO_COUNTERS, type ServerStatus, type ServingCounters } from '@gatewright/api/status'
import t from 'tap'
import { exposition } from '../src/exposition.ts'
import { metricFamilies } from '../src/metrics.ts'
import { OPEN_METRICS, PROMETHEUS } from '../src/metrics-format.ts'
import { summarize } from '../src/summary.ts'
import { type ParsedFamily, parseOpenMetrics } from './open-metrics.ts'
import { fakeStatus, fakeWorker, STARTED_AT } from './status.ts'

function text(status: ServerStatus, format = OPEN_METRICS): string {
  const summary = summarize(status, STARTED_AT + 25_500)
  return exposition(metricFamilies({ status, summary, serverName: 'host.test', banner: 'Gatewright/0.1.0' }), format)
}

const parsed = (status: ServerStatus): ReadonlyMap<string, ParsedFamily> => parseOpenMetrics(text(status))

function sampleOf(
  families: ReadonlyMap<string, ParsedFamily>,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const samples = [...families.values()].flatMap((family) => family.samples)
  return samples.find(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )?.value
}

function counters(changes: Partial<ServingCounters>): ServingCounters {
  return { ...NO_COUNTERS, ...changes }
}

t.test('the text follows the grammar of OpenMetrics, and every family has a type and a help text', async (t) => {
  const families = parsed(fakeStatus())
  t.ok(families.size >= 20)
  for (const family of families.values()) {
    t.not(family.type, 'unknown', family.name)
    t.match(family.help, /^[A-Z].*\.$/, family.name)
    t.match(family.name, /^gatewright_/)
    t.equal(family.unit, /_(seconds|bytes)$/.exec(family.name)?.[1] ?? null, `unit of ${family.name}`)
  }
})

t.test('requests are counted by method and class over all workers, including those that ended', async (t) => {
  const responses = (count: number): number[] =>
    NO_COUNTERS.responses.map((_, index) => (index === 1 || index === 11 ? count : 0))
  const status = fakeStatus({
    workers: [
      fakeWorker({ counters: counters({ responses: responses(3) }) }),
      fakeWorker({ counters: counters({ responses: responses(4) }) }),
    ],
    former: { ...fakeStatus().former, counters: counters({ responses: responses(10) }) },
  })
  const families = parsed(status)
  t.equal(sampleOf(families, 'gatewright_requests_total', { method: 'GET', code: '2xx' }), 17)
  t.equal(sampleOf(families, 'gatewright_requests_total', { method: 'POST', code: '2xx' }), 17)
  t.equal(sampleOf(families, 'gatewright_requests_total', { method: 'GET', code: '5xx' }), 0)
  t.equal(families.get('gatewright_requests')?.samples.length, 55, 'all series are there from the beginning')
})

t.test('requests and bytes are counted by virtual host; those of several workers are added', async (t) => {
  const intranet = { name: 'intranet:8080', responses: [0, 4, 0, 1, 0], bytes: 900 }
  const shop = { name: 'shop.example.org', responses: [0, 1, 0, 0, 0], bytes: 5 }
  const families = parsed(
    fakeStatus({
      workers: [
        fakeWorker({ counters: counters({ hosts: [intranet] }) }),
        fakeWorker({ counters: counters({ hosts: [shop, intranet] }) }),
      ],
    }),
  )
  t.equal(sampleOf(families, 'gatewright_host_requests_total', { host: 'intranet:8080', code: '2xx' }), 8)
  t.equal(sampleOf(families, 'gatewright_host_requests_total', { host: 'intranet:8080', code: '4xx' }), 2)
  t.equal(sampleOf(families, 'gatewright_host_requests_total', { host: 'shop.example.org', code: '2xx' }), 1)
  t.equal(sampleOf(families, 'gatewright_host_response_body_bytes_total', { host: 'intranet:8080' }), 1800)
})

t.test('durations are a histogram in seconds', async (t) => {
  const durations = NO_COUNTERS.durations.map((_, index) => index)
  const families = parsed(fakeStatus({ workers: [fakeWorker({ duration: 1500, counters: counters({ durations }) })] }))
  t.equal(sampleOf(families, 'gatewright_request_duration_seconds_bucket', { le: '0.0001' }), 0)
  t.equal(sampleOf(families, 'gatewright_request_duration_seconds_bucket', { le: '0.0005' }), 3)
  t.equal(sampleOf(families, 'gatewright_request_duration_seconds_bucket', { le: '1.0' }), 78)
  t.equal(sampleOf(families, 'gatewright_request_duration_seconds_bucket', { le: '+Inf' }), 153)
  t.equal(sampleOf(families, 'gatewright_request_duration_seconds_count'), 153)
  t.equal(sampleOf(families, 'gatewright_request_duration_seconds_sum'), 1.5)
})

t.test('refusals have outcome, module, code and rule; those of several workers are added', async (t) => {
  const denied = { outcome: 'denied', module: 'authz_core', code: 'AH01630', rule: 'ip', count: 2 } as const
  const challenged = { ...denied, outcome: 'challenged', module: 'auth_basic', code: 'AH01617', rule: '' } as const
  const families = parsed(
    fakeStatus({
      workers: [
        fakeWorker({ counters: counters({ granted: 5, refusals: [denied] }) }),
        fakeWorker({ counters: counters({ granted: 6, refusals: [challenged, { ...denied, count: 40 }] }) }),
      ],
    }),
  )
  t.equal(sampleOf(families, 'gatewright_access_granted_total'), 11)
  t.same(families.get('gatewright_access_refused')?.samples, [
    {
      name: 'gatewright_access_refused_total',
      labels: { outcome: 'denied', module: 'authz_core', code: 'AH01630', rule: 'ip' },
      value: 42,
    },
    {
      name: 'gatewright_access_refused_total',
      labels: { outcome: 'challenged', module: 'auth_basic', code: 'AH01617', rule: '' },
      value: 2,
    },
  ])
})

t.test('values of labels are escaped', async (t) => {
  const rule = 'a"b\\c\nd'
  const refusals = [{ outcome: 'denied', module: '', code: '', rule, count: 1 } as const]
  const families = parsed(fakeStatus({ workers: [fakeWorker({ counters: counters({ refusals }) })] }))
  t.equal(families.get('gatewright_access_refused')?.samples[0].labels.rule, rule)
})

t.test('a stopping worker shares the series of its slot with its successor', async (t) => {
  const old = fakeWorker({
    stopping: true,
    process: { ...fakeWorker().process, residentMemory: 5, loopDelay: { mean: 1, p99: 9, max: 9 } },
  })
  const families = parsed(fakeStatus({ workers: [old, fakeWorker({ generation: 1, connections: 7, keepAlive: 4, writing: 1 })] }))
  t.equal(sampleOf(families, 'gatewright_resident_memory_bytes', { worker: '0' }), 80_000_005)
  t.equal(sampleOf(families, 'gatewright_event_loop_delay_seconds', { worker: '0', statistic: 'p99' }), 0.009)
  t.equal(sampleOf(families, 'gatewright_workers', { state: 'stopping' }), 1)
  t.equal(sampleOf(families, 'gatewright_connections', { state: 'keepalive' }), 4)
  t.equal(sampleOf(families, 'gatewright_connections', { state: 'working' }), 2)
})

t.test(
  "Prometheus' older format has the same samples with the same names, counters with full names, and no end mark",
  async (t) => {
    const older = text(fakeStatus(), PROMETHEUS)
    const samples = (whole: string): string[] => whole.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    t.same(samples(older), samples(text(fakeStatus())))
    t.match(older, '# TYPE gatewright_requests_total counter\n')
    t.match(older, '# TYPE gatewright_build_info gauge\n')
    t.notMatch(older, '# UNIT')
    t.notMatch(older, '# EOF')
  },
)

t.test('the manual page lists every metric with its type and labels, and no others', async (t) => {
  const manual = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const listed = [...manual.matchAll(/^\| `(gatewright_\w+)` +\| (\w+) +\| ([^|]*?) *\|/gm)].map(([, ...cells]) =>
    cells.join(' '),
  )
  const refusals = [{ outcome: 'denied', module: '', code: '', rule: '', count: 1 } as const]
  const hosts = [{ name: 'www', responses: [0, 1, 0, 0, 0], bytes: 1 }]
  const families = parsed(fakeStatus({ workers: [fakeWorker({ counters: counters({ refusals, hosts }) })] }))
  const made = [...families.values()].map(({ name, type, samples }) => {
    const labels = Object.keys(samples[0].labels).map((label) => `\`${label}\``)
    return `${name}${type === 'counter' ? '_total' : type === 'info' ? '_info' : ''} ${type} ${labels.join(', ')}`
  })
  t.same(listed.sort(), made.sort())
})
