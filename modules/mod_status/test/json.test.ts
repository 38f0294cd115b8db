import { NO_COUNTERS } from '@gatewright/api/status'
import t from 'tap'
import { statusJson } from '../src/json.ts'
import { summarize } from '../src/summary.ts'
import { fakeRequestStatus, fakeStatus, fakeWorker, STARTED_AT } from './status.ts'

function json(changes: Parameters<typeof fakeStatus>[0] = {}): string {
  const status = fakeStatus(changes)
  return statusJson({
    status,
    summary: summarize(status, STARTED_AT + 25_500),
    serverName: 'host.test',
    banner: 'Gatewright/0.1.0',
  })
}

t.test('the object has the sums of all workers, in seconds and bytes', async (t) => {
  const former = { ...fakeStatus().former, accesses: 100, bytes: 1024, duration: 2000, cpuUser: 3, cpuSystem: 4 }
  t.match(JSON.parse(json({ former })), {
    server: {
      name: 'host.test',
      startedAt: '2026-11-21T05:48:23.000Z',
      now: '2026-11-21T05:48:48.500Z',
      uptime: 25.5,
      generation: 0,
    },
    requests: { total: 107, bytes: 19_524, seconds: 2.003, inWork: 1, byMethod: { GET: { '2xx': 0 } }, byClass: { '2xx': 0 } },
    cpu: { user: 3.01, system: 4 },
    places: { busy: 1, idle: 49, max: 150 },
    workers: [
      { slot: 0, pid: 8623, stopping: false, residentMemory: 80_000_000, loopDelay: { mean: 0.0005, p99: 0.002, max: 0.008 } },
      { slot: 1, places: [{ state: 'W', client: '127.0.0.1', requestLine: 'GET /manual/foo HTTP/1.1', idle: 24 }] },
    ],
  })
})

t.test('the text is ASCII and parses to the same values, whatever bytes a client sent', async (t) => {
  const requestLine = `GET /${String.fromCharCode(...Array.from({ length: 255 }, (_, index) => index + 1))}</script> HTTP/1.1`
  const text = json({ workers: [fakeWorker({ requests: [fakeRequestStatus({ requestLine })] })] })
  t.match(text, /^[ -~]*\n$/)
  t.equal(JSON.parse(text).workers[0].places[0].requestLine, requestLine)
})

t.test('virtual hosts have their responses by class', async (t) => {
  const hosts = [{ name: 'www', responses: [0, 4, 0, 1, 0], bytes: 900 }]
  const text = json({ workers: [fakeWorker({ counters: { ...NO_COUNTERS, hosts } })] })
  t.strictSame(JSON.parse(text).hosts, [
    { name: 'www', byClass: { '1xx': 0, '2xx': 4, '3xx': 0, '4xx': 1, '5xx': 0 }, bytes: 900 },
  ])
})

t.test('without ExtendedStatus no individual requests are shown', async (t) => {
  const { workers, requests } = JSON.parse(json({ extended: false }))
  t.same(workers[1].places, [])
  t.equal(requests.total, 7)
})
