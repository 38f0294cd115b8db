import t from 'tap'
import { Backoff } from '../src/supervisor/backoff.ts'

t.test('a worker that lived is replaced at once', (t) => {
  const backoff = new Backoff()
  t.equal(backoff.delayAfterDeath(60_000, 0), 0)
  t.equal(backoff.delayAfterDeath(1_000, 61_000), 0)
  t.end()
})

t.test('workers that die young are replaced after 1, 2, 4 ... 60 seconds', (t) => {
  const backoff = new Backoff()
  const delays = Array.from({ length: 8 }, (_, index) => backoff.delayAfterDeath(10, index * 100_000))
  t.strictSame(delays, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  t.equal(backoff.delayAfterDeath(5_000, 900_000), 0, 'one that lived ends the waiting')
  t.equal(backoff.delayAfterDeath(10, 1_000_000), 1_000)
  t.end()
})

t.test('the sixth death within ten seconds is waited for even when the workers lived longer', (t) => {
  const backoff = new Backoff()
  const delays = Array.from({ length: 7 }, (_, index) => backoff.delayAfterDeath(1_500, index * 1_600))
  t.strictSame(delays, [0, 0, 0, 0, 0, 1_000, 2_000])
  t.equal(backoff.delayAfterDeath(1_500, 30_000), 0)
  t.end()
})
