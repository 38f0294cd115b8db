import t from 'tap'
import { type AuditReport, AuditTally, auditJson, auditText, NO_COLOURS, readAuditEntry } from '../../src/index.ts'

const IP = { rule: 'Require ip 10.0.0.0/8', provider: 'ip', file: '/c', line: 1 }
const USER = { rule: 'Require user alice', provider: 'user', file: '/c', line: 2 }
const ALL = { rule: 'Require all granted', provider: 'all', file: '/c', line: 3 }
const NOT = { rule: 'Require not ip 10.6.6.6', provider: 'ip', file: '/c', line: 4 }

interface Given {
  readonly rule: string
  readonly provider: string
  readonly file: string
  readonly line: number
}

function line(decision: string, status: number, rules: readonly (readonly [Given, string])[], more: object = {}): string {
  return JSON.stringify({
    time: '2026-01-31T10:00:00.000Z',
    decision,
    status,
    method: 'GET',
    host: 'a.example',
    path: '/x',
    client: '192.0.2.1',
    user: null,
    rules: rules.map(([rule, verdict]) => ({ ...rule, verdict })),
    ...more,
  })
}

function reported(lines: readonly string[], days: ConstructorParameters<typeof AuditTally>[0] = 'newest'): AuditReport {
  const tally = new AuditTally(days)
  for (const one of lines) tally.add(readAuditEntry(one))
  return tally.report(null, null, 10)
}

t.test('a refusal belongs to the rules that said no, and to those who asked', async (t) => {
  const { refusals, refused } = reported([
    line('refused', 403, [[IP, 'denied']], { refusedBy: 'ip' }),
    line('refused', 403, [[IP, 'denied']], { refusedBy: 'ip' }),
    line('refused', 403, [[IP, 'denied']], { refusedBy: 'ip', client: '192.0.2.2', path: '/y' }),
    line(
      'refused',
      401,
      [
        [IP, 'denied'],
        [USER, 'denied'],
      ],
      { refusedBy: 'ip user', user: 'bob' },
    ),
  ])
  t.equal(refused, 4)
  t.match(refusals, [
    {
      rules: [{ rule: 'Require ip 10.0.0.0/8', file: '/c', line: 1 }],
      status: 403,
      count: 3,
      visits: [
        { client: '192.0.2.1', path: '/x', count: 2 },
        { client: '192.0.2.2', path: '/y', count: 1 },
      ],
    },
    { rules: [{ line: 1 }, { line: 2 }], status: 401, count: 1, visits: [{ user: 'bob' }] },
  ])
})

t.test('a rule that said no in an alternative is not blamed for what something else refused', async (t) => {
  const { refusals } = reported([
    line(
      'refused',
      429,
      [
        [IP, 'denied'],
        [USER, 'granted'],
      ],
      { refusedBy: 'RequestRate', user: 'alice' },
    ),
    line('refused', 403, [
      [IP, 'denied'],
      [USER, 'granted'],
    ]),
    line('refused', 401, [
      [IP, 'denied'],
      [USER, 'denied-no-user'],
    ]),
  ])
  t.match(refusals, [
    { rules: [{ line: 2 }], by: '', status: 401 },
    { rules: [], by: 'RequestRate', status: 429 },
    { rules: [], by: '', status: 403 },
  ])
})

t.test('a rule has matched if it granted, and a rule that refuses if it refused', async (t) => {
  const denied = { ...ALL, rule: 'Require all denied', line: 5 }
  const { unmatched } = reported([
    line('granted', 200, [
      [IP, 'denied'],
      [USER, 'granted'],
    ]),
    line('granted', 200, [
      [ALL, 'granted'],
      [NOT, 'neutral'],
    ]),
    line('refused', 403, [[denied, 'denied']], { refusedBy: 'all' }),
  ])
  t.match(unmatched, [
    { line: 1, asked: 1 },
    { line: 4, asked: 1 },
  ])
  t.equal(unmatched?.length, 2)
})

t.test('a log without grants does not say which rules never grant', async (t) => {
  t.equal(reported([line('refused', 403, [[IP, 'denied']], { refusedBy: 'ip' })]).unmatched, null)
})

t.test('rules of the configuration that were never asked are reported', async (t) => {
  const tally = new AuditTally('all')
  tally.add(readAuditEntry(line('granted', 200, [[IP, 'granted']])))
  t.strictSame(tally.report([IP, USER], true, 10).unmatched, [{ ...USER, asked: 0 }])
})

t.test('grants rest on an address if nothing but addresses granted them', async (t) => {
  const { byAddress } = reported([
    line('granted', 200, [[IP, 'granted']]),
    line(
      'granted',
      200,
      [
        [ALL, 'granted'],
        [IP, 'granted'],
      ],
      { sample: 5 },
    ),
    line('granted', 200, [
      [IP, 'granted'],
      [USER, 'granted'],
    ]),
    line('granted', 200, [[ALL, 'granted']]),
    line('granted', 200, []),
  ])
  t.match(byAddress, [{ rules: [{ line: 1 }], count: 6 }])
  t.equal(byAddress.length, 1)
})

t.test('the newest day is counted, whatever the order of the logs, or the one that was asked for', async (t) => {
  const on = (day: string) => line('granted', 200, [[IP, 'granted']], { time: `${day}T23:00:00.000Z` })
  const lines = ['2026-01-30', '2026-01-31', '2026-01-29', '2026-01-31'].map(on)
  t.match(reported(lines), { day: '2026-01-31', granted: 2, otherDays: 2 })
  t.match(reported(lines, { day: '2026-01-29' }), { day: '2026-01-29', granted: 1, otherDays: 3 })
  t.match(reported(lines, 'all'), { day: null, granted: 4, first: '2026-01-29T23:00:00.000Z', last: '2026-01-31T23:00:00.000Z' })
})

t.test('what is not a line of the log is counted and left out', async (t) => {
  const wrong = ['', 'text', '{', '[]', '{"time":1}', line('maybe', 200, []), line('granted', 200, []).slice(0, -1)]
  const half = line('granted', 200, [[{ ...IP, line: 1 }, 'granted']]).replace('"line":1', '"line":"1"')
  t.match(reported([...wrong, half, line('granted', 200, [], { sample: 0 })]), { granted: 0, unreadable: 9 })
})

t.test('clients who choose paths do not make the summary large', async (t) => {
  const tally = new AuditTally('all')
  const wanted = 10_000
  for (let index = 0; index < wanted; index++)
    tally.add(readAuditEntry(line('refused', 403, [[IP, 'denied']], { refusedBy: 'ip', path: `/${index}` })))
  const [first] = tally.report(null, null, 9_999).refusals
  t.equal(first.count, wanted)
  t.equal(first.visits.length, 2_000)
  t.equal(first.others, wanted - 2_000)
})

t.test('a log with more reasons than a configuration has is counted in one line from there on', async (t) => {
  const tally = new AuditTally('all')
  for (let index = 0; index < 5_010; index++)
    tally.add(readAuditEntry(line('refused', 403, [[{ ...IP, line: index }, 'denied']], { refusedBy: 'ip' })))
  const { refusals } = tally.report(null, null, 1)
  t.equal(refusals.length, 5_001)
  t.match(refusals[0], { by: 'other reasons', count: 10 })
})

t.test('the text names reasons and people, and nobody controls the terminal with a path', async (t) => {
  const report = reported([
    line('refused', 403, [[IP, 'denied']], { refusedBy: 'ip', path: '/\u001b[2J' }),
    line('refused', 401, []),
    line('granted', 200, [[IP, 'granted']], { client: '10.0.0.1', user: 'alice' }),
    'nonsense',
  ])
  t.equal(
    auditText(report, NO_COLOURS),
    `2026-01-31 (2026-01-31T10:00:00.000Z to 2026-01-31T10:00:00.000Z): 3 decisions, 1 granted, 2 refused, 0 failed
Note: lines that are not decisions, or not whole: 1

Refused
  1 x 403 Require ip 10.0.0.0/8 (/c:1)
    1  192.0.2.1  a.example/\\x1b[2J
  1 x 401 by a login that failed or is missing
    1  192.0.2.1  a.example/x

All rules that were asked have matched

Grants that rest on an address alone
  1 x Require ip 10.0.0.0/8 (/c:1)
    1  alice from 10.0.0.1  a.example/x`,
  )
  t.match(JSON.parse(auditJson(report)), { granted: 1, refused: 2, refusals: [{ count: 1 }, { count: 1 }] })
})
