import { COUNTED_METHODS, DURATION_BOUNDS, type ServingCounters, STATUS_CLASSES } from '@gatewright/api/status'
import t from 'tap'
import { ServingTally, type TalliedRequest } from '../src/status/serving-tally.ts'

const HOST = { serverName: 'www.example.org', serverPort: 0 }

function asked(changes: Partial<TalliedRequest> = {}): TalliedRequest {
  return {
    method: 'GET',
    accessGranted: true,
    refusalStatus: 0,
    refusedBy: '',
    errorModule: '',
    errorCode: '',
    server: HOST,
    ...changes,
  }
}

function refused(refusalStatus: number, refusedBy: string, errorModule = 'authz_core', errorCode = 'AH01630'): TalliedRequest {
  return asked({ accessGranted: false, refusalStatus, refusedBy, errorModule, errorCode })
}

function countersOf(tally: ServingTally): ServingCounters {
  return tally.counters({ passwords: { computed: 0, remembered: 0, dropped: 0 }, lostLogLines: 0, loopActive: 0 })
}

const RESPONSES: readonly (readonly [
  method: string,
  status: number,
  row: (typeof COUNTED_METHODS)[number],
  column: (typeof STATUS_CLASSES)[number],
])[] = [
  ['GET', 200, 'GET', '2xx'],
  ['HEAD', 304, 'HEAD', '3xx'],
  ['TRACE', 405, 'TRACE', '4xx'],
  ['get', 501, 'other', '5xx'],
  ['BREW', 418, 'other', '4xx'],
  ['PUT', 100, 'PUT', '1xx'],
  ['PUT', 999, 'PUT', '5xx'],
  ['PUT', 0, 'PUT', '1xx'],
]

for (const [method, status, row, column] of RESPONSES) {
  t.test(`${method} answered ${status} is counted as ${row} ${column}`, async (t) => {
    const tally = new ServingTally()
    tally.answered(asked({ method }), status, 1, 0)
    const { responses } = countersOf(tally)
    const place = COUNTED_METHODS.indexOf(row) * STATUS_CLASSES.length + STATUS_CLASSES.indexOf(column)
    t.equal(responses[place], 1)
    t.equal(
      responses.reduce((sum, count) => sum + count, 0),
      1,
    )
  })
}

t.test('a duration is counted once, in the first bucket that it is not above', async (t) => {
  const tally = new ServingTally()
  for (const milliseconds of [0, 0.1, 0.11, 1, 29_999, 30_000, 30_001]) tally.answered(asked(), 200, milliseconds, 0)
  const { durations } = countersOf(tally)
  t.equal(durations.length, DURATION_BOUNDS.length + 1)
  t.strictSame([durations[0], durations[1], durations[3], durations.at(-2), durations.at(-1)], [2, 1, 1, 2, 1])
})

t.test('a request without an access decision counts as neither granted nor denied', async (t) => {
  const tally = new ServingTally()
  tally.answered(asked(), 200, 1, 0)
  tally.answered(asked({ accessGranted: false }), 400, 1, 0)
  t.match(countersOf(tally), { granted: 1, refusals: [] })
})

t.test('refusals are counted by what access control ended with, whatever was answered in the end', async (t) => {
  const tally = new ServingTally()
  tally.answered(refused(403, 'ip'), 200, 1, 0)
  tally.answered(refused(403, 'ip'), 403, 1, 0)
  tally.answered(refused(401, '', '', ''), 401, 1, 0)
  tally.answered(refused(500, '', 'authz_core', 'AH01627'), 500, 1, 0)
  t.strictSame(countersOf(tally).refusals, [
    { outcome: 'denied', module: 'authz_core', code: 'AH01630', rule: 'ip', count: 2 },
    { outcome: 'challenged', module: '', code: '', rule: '', count: 1 },
    { outcome: 'failed', module: 'authz_core', code: 'AH01627', rule: '', count: 1 },
  ])
})

t.test('of a great number of kinds the late ones are counted together', async (t) => {
  const tally = new ServingTally()
  for (let kind = 0; kind < 250; kind++) tally.answered(refused(403, `rule ${kind}`), 403, 1, 0)
  tally.answered(refused(403, 'rule 7'), 403, 1, 0)
  const { refusals } = countersOf(tally)
  t.equal(refusals.length, 101)
  t.match(refusals[7], { rule: 'rule 7', count: 2 })
  t.match(refusals.at(-1), { outcome: 'denied', module: '', rule: 'other', count: 150 })
})
