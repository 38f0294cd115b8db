import t from 'tap'
import { clfTime, createClfClock, createErrorLogClock, errorLogTime, microsecondsOf } from '../src/text/index.ts'

const MOMENT = 1795240205313

function inZone<T>(zone: string, run: () => T): T {
  const before = process.env.TZ
  process.env.TZ = zone
  try {
    return run()
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
}

t.test('the access log time is local, with English month and offset', async (t) => {
  t.equal(
    inZone('UTC', () => clfTime(MOMENT)),
    '[21/Nov/2026:05:50:05 +0000]',
  )
  t.equal(
    inZone('Europe/Berlin', () => clfTime(MOMENT)),
    '[21/Nov/2026:06:50:05 +0100]',
  )
  t.equal(
    inZone('America/St_Johns', () => clfTime(MOMENT)),
    '[21/Nov/2026:02:20:05 -0330]',
  )
})

t.test('the error log time has microseconds before the year', async (t) => {
  inZone('UTC', () => {
    t.equal(errorLogTime(MOMENT, 91280), 'Sat Nov 21 05:50:05.091280 2026')
    t.equal(errorLogTime(MOMENT), 'Sat Nov 21 05:50:05.313000 2026')
    t.equal(errorLogTime(MOMENT + 0.25), 'Sat Nov 21 05:50:05.313250 2026')
    t.equal(errorLogTime(Date.UTC(2026, 0, 1), 7), 'Thu Jan 01 00:00:00.000007 2026')
  })
})

t.test('microseconds stay within their second', async (t) => {
  t.equal(microsecondsOf(999.9999), 999999)
  t.equal(microsecondsOf(1000), 0)
  t.equal(microsecondsOf(1795240205313.5), 313500)
})

t.test('clocks give the same texts as the plain functions, second for second', async (t) => {
  const clf = createClfClock()
  const error = createErrorLogClock()
  for (const ms of [MOMENT, MOMENT + 1, MOMENT + 686, MOMENT + 687, MOMENT + 86400000, MOMENT, 0]) {
    t.equal(clf(ms), clfTime(ms))
    t.equal(error(ms), errorLogTime(ms))
    t.equal(error(ms, 5), errorLogTime(ms, 5))
  }
})
