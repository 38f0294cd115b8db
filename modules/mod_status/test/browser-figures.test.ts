import t from 'tap'
import { age, bytes, count, duration, percent } from '../browser/format.ts'
import { percentile } from '../browser/percentile.ts'
import { sampleBetween } from '../browser/sample.ts'
import { linearScale, niceCeiling, powerScale } from '../browser/scale.ts'
import type { Status } from '../browser/status.ts'
import { statusJson } from '../src/json.ts'
import { summarize } from '../src/summary.ts'
import { fakeStatus, fakeWorker, STARTED_AT } from './status.ts'

const PERCENTILES: readonly (readonly [counts: number[], share: number, value: number | null])[] = [
  [[0, 0, 0], 0.5, null],
  [[4, 0, 0], 0.5, 0.5],
  [[4, 0, 0], 1, 1],
  [[0, 2, 0], 0.5, 1.5],
  [[2, 2, 0], 0.5, 1],
  [[2, 2, 0], 0.75, 1.5],
  [[0, 0, 5], 0.5, 2],
  [[9, 0, 1], 0.99, 2],
]

for (const [counts, share, value] of PERCENTILES) {
  t.test(`for [${counts}] in buckets up to 1, up to 2 and above, the quantile ${share} is ${value}`, async (t) => {
    t.equal(percentile([1, 2], counts, share), value)
  })
}

t.test('the top of a scale is a round number not below any value', async (t) => {
  t.same(
    [0.3, 1, 1.2, 2.5, 3.5, 5, 7, 9, 11, 250].map((value) => niceCeiling(value, 1)),
    [1, 1, 2, 3, 4, 6, 8, 10, 20, 300],
  )
  t.equal(niceCeiling(0, 4), 4)
  t.same(linearScale([], 1).marks, [0, 0.5, 1])
  t.equal(linearScale([30], 1).place(15), 0.5)
  const { marks, place } = powerScale([0.02], 0.001, 0.1)
  t.equal(marks.length, 3)
  t.same([0.0001, 0.001, 0.01, 0.1].map(place), [0, 0, 0.5, 1])
})

t.test('numbers are short', async (t) => {
  t.same([0, 3.44, 12.7, 9_999, 12_345, 2e6].map(count), ['0', '3.4', '13', '9999', '12.3 k', '2.0 M'])
  t.same([999, 1500, 2.5e6, 3e9].map(bytes), ['999 B', '1.5 kB', '2.5 MB', '3.0 GB'])
  t.same([null, 0.00042, 0.0042, 0.042, 4.2].map(duration), ['–', '420 µs', '4.2 ms', '42 ms', '4.2 s'])
  t.same([0.034, 0.5, 1.75].map(percent), ['3.4 %', '50 %', '175 %'])
  t.same([5, 65, 7260, 90_000].map(age), ['5 s', '1 min', '2 h 1 min', '1 d 1 h'])
})

t.test('a sample contains the changes between two requests, per second', async (t) => {
  const look = (seconds: number, accesses: number, refused: number): Status => {
    const counters = {
      ...fakeWorker().counters,
      granted: accesses,
      refusals: [{ outcome: 'denied', module: '', code: '', rule: '', count: refused }],
    } as const
    const status = fakeStatus({
      workers: [fakeWorker({ accesses, bytes: accesses * 100, counters, connections: 3, keepAlive: 2 })],
    })
    return JSON.parse(statusJson({ status, summary: summarize(status, STARTED_AT + seconds * 1000), serverName: '', banner: '' }))
  }
  const sample = sampleBetween(look(10, 100, 7), look(12, 150, 17))
  t.match(sample, { requests: 25, bytes: 2500, granted: 25, denied: 5, challenged: 0, keepAlive: 2, working: 1, p50: null })
  t.match(
    sampleBetween(look(10, 100, 7), look(12, 0, 0)),
    { requests: 0, denied: 0 },
    'a sum that is smaller is that of another server',
  )
})
