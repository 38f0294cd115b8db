import t from 'tap'
import { ConnectionLimitLog } from '../src/worker/connection-limit-log.ts'

const DISPLACED = { from: { group: '192.0.2.1', count: 812 }, by: { group: '198.51.100.7', count: 3 } }

t.test('the first displaced connection is reported at once, others within a minute are counted', async (t) => {
  const lines: string[] = []
  let now = 5
  const log = new ConnectionLimitLog(
    (level, text) => lines.push(`${level}: ${text}`),
    () => now,
  )
  for (let times = 0; times < 4; times++) log.displaced(DISPLACED)
  t.match(lines, [
    /^warn: no descriptors are left for more connections: the server closed one of the 812 connections of 192\.0\.2\.1 in favour of 198\.51\.100\.7, which has 3: raise the limit .*ulimit -n/,
  ])
  now += 60_000
  log.displaced(DISPLACED)
  t.equal(lines.length, 2)
  t.match(lines[1], /, which has 3, as were 3 others since the last such message: /)
})
