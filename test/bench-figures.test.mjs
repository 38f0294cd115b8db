import { spawnSync } from 'node:child_process'
import t from 'tap'
import { parseCores } from './bench/cores.mjs'
import { compareRatios, guardedRatios } from './bench/guard.mjs'
import { parseH2load } from './bench/h2load.mjs'
import { ADMITTED, inLines, networks } from './bench/networks.mjs'
import { parseOptions } from './bench/options.mjs'
import { figures } from './bench/page.mjs'
import { cpuMicroseconds, memoryMebibytes, parseBusy, parseStat, processIds } from './bench/process-tree.mjs'
import { isQuiet, quietest, summarize } from './bench/rounds.mjs'
import { median, percentile, ratios, spread } from './bench/statistics.mjs'
import { scenarioTable, summaryTable } from './bench/table.mjs'
import { parseWrk } from './bench/wrk.mjs'

const WRK = `Running 1s test @ http://127.0.0.1:1/
  1 threads and 2 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   264.54us    1.34ms  19.00ms   97.17%
    Req/Sec    35.83k    14.96k   46.76k    80.00%
  Latency Distribution
     50%   41.00us
     75%   69.00us
     90%  172.00us
     99%    6.46ms
  35559 requests in 1.00s, 344.24MB read
Requests/sec:  35475.24
Transfer/sec:    343.43MB
`

const H2LOAD = `finished in 500.00ms, 4000.00 req/s, 12.96MB/s
requests: 2000 total, 2000 started, 2000 done, 1990 succeeded, 10 failed, 3 errored, 1 timeout
status codes: 1990 2xx, 0 3xx, 4 4xx, 2 5xx
traffic: 12.96MB (13593962) total, 151.55KB (155192) headers (space savings 93.20%), 12.59MB (13206528) data
`

/** Runs until it has used 100 ms of CPU time, and prints the exact time in microseconds. */
const BUSY = `
const used = () => { const { user, system } = process.cpuUsage(); return user + system }
while (used() < 100_000);
console.log(used())`

const OURS = {
  requestsPerSecond: 40_000.4,
  spreadPercent: 2.2,
  cpuMicroseconds: 20.5,
  corePercent: 82,
  othersPercent: 0.4,
  p50Milliseconds: 0.5,
  p99Milliseconds: 1.25,
  memoryMebibytes: 90.1,
  socketErrors: 0,
}
const HALF = { requestsPerSecond: 2, cpuMicroseconds: 0.5 }
const RESULT = {
  name: 'denied',
  title: '403 for all',
  connections: 32,
  servers: {
    gatewright: OURS,
    apache2: { ...OURS, requestsPerSecond: 20_000, spreadPercent: 1, cpuMicroseconds: 41, memoryMebibytes: 6, socketErrors: 3 },
    nginx: null,
  },
  ratios: { apache2: HALF },
}

t.test('the report of h2load is read with its log', (t) => {
  t.strictSame(parseH2load(H2LOAD, '1795924788197416\t200\t227\n1795924788197417\t200\t259\n'), {
    requests: 2000,
    requestsPerSecond: 4000,
    p50Milliseconds: 0.259,
    p99Milliseconds: 0.259,
    failed: 6,
    socketErrors: 4,
  })
  t.throws(() => parseH2load('could not connect', ''), /h2load did not finish: could not connect/)
  t.equal(percentile([], 50), 0)
  t.end()
})

t.test('the report of wrk is read with its units', (t) => {
  t.strictSame(parseWrk(WRK), {
    requests: 35559,
    requestsPerSecond: 35475.24,
    p50Milliseconds: 0.041,
    p99Milliseconds: 6.46,
    failed: 0,
    socketErrors: 0,
  })
  t.match(parseWrk(WRK.replace('41.00us', '1.50s').replace('6.46ms', '2.00m')), {
    p50Milliseconds: 1500,
    p99Milliseconds: 120_000,
  })
  t.end()
})

t.test('answers that failed and connections that broke are counted', (t) => {
  const errors = '  Socket errors: connect 1, read 20, write 300, timeout 4000\n  Non-2xx or 3xx responses: 17\nRequests/sec'
  t.match(parseWrk(WRK.replace('Requests/sec', errors)), { failed: 17, socketErrors: 4321 })
  t.end()
})

t.test('an unfinished run of wrk is an error with its output', (t) => {
  t.throws(() => parseWrk('unable to connect to 127.0.0.1:1 Connection refused\n'), {
    message: 'wrk did not finish: unable to connect to 127.0.0.1:1 Connection refused',
  })
  t.throws(() => parseWrk(WRK.replace(/^ +99%.*\n/m, '')), { message: /99th percentile/ })
  t.end()
})

t.test('the median is the one in the middle, or between the two in the middle', (t) => {
  t.equal(median([7]), 7)
  t.equal(median([30, 4, 200]), 30)
  t.equal(median([40, 1, 9, 10]), 9.5)
  t.equal(spread([90, 100, 115]), 15)
  t.equal(spread([5]), 0)
  t.end()
})

t.test('medians are those of quiet rounds, or of all when other programs disturbed all', (t) => {
  const round = (requestsPerSecond, othersPercent) => ({
    requestsPerSecond,
    othersPercent,
    cpuMicroseconds: 20,
    corePercent: 90,
    p50Milliseconds: 1,
    p99Milliseconds: 2,
    socketErrors: 1,
  })
  const rounds = [round(100, 0), round(30, 40), round(104, 5), round(50, 20), round(96, 1)]
  t.match(summarize(rounds), {
    requestsPerSecond: 100,
    spreadPercent: 4,
    othersPercent: 1,
    quietRounds: 3,
    socketErrors: 5,
    rounds,
  })
  t.match(summarize(rounds.filter((each) => !isQuiet(each))), { requestsPerSecond: 40, othersPercent: 30, quietRounds: 0 })
  t.equal(quietest(rounds.slice(1)), rounds[4])
  t.end()
})

t.test('a ratio divides our figure by the other', (t) => {
  const ours = { requestsPerSecond: 300, cpuMicroseconds: 20 }
  const theirs = { requestsPerSecond: 100, cpuMicroseconds: 80 }
  t.strictSame(ratios(ours, theirs), { requestsPerSecond: 3, cpuMicroseconds: 0.25 })
  t.end()
})

t.test('the table shows figures, ratios, servers without such a thing, and broken connections', (t) => {
  t.equal(
    scenarioTable({ ...RESULT, baseline: { name: 'one', servers: { gatewright: OURS }, ratios: { gatewright: HALF } } }),
    `denied: 403 for all (32 connections)
                          requests/s    spread    CPU µs      core    others    p50 ms    p99 ms       MiB
  gatewright                  40,000       2 %      20.5      82 %       0 %      0.50      1.25        90
  apache2                     20,000       1 %      41.0      82 %       0 %      0.50      1.25         6
  nginx                          n/a
  gatewright, one             40,000       2 %      20.5      82 %       0 %      0.50      1.25        90
  x apache2                     2.00                0.50
  gatewright x one              2.00                0.50
  note: apache2: 3 connections or requests broke or waited too long
`,
  )
  t.end()
})

t.test('the summary has a line for each scenario, and there is none without another server', (t) => {
  const other = { ...RESULT, name: 'small', ratios: { apache2: HALF, nginx: { requestsPerSecond: 0.5, cpuMicroseconds: 2 } } }
  t.equal(
    summaryTable([RESULT, other]),
    `summary: requests/s of gatewright, and its CPU time per request, divided by those of the others
                           x apache2       CPU   x nginx       CPU
  denied                        2.00      0.50       n/a
  small                         2.00      0.50      0.50      2.00
`,
  )
  t.equal(
    summaryTable([
      { ...RESULT, ratios: {} },
      { ...RESULT, ratios: {} },
    ]),
    undefined,
  )
  t.equal(summaryTable([RESULT]), undefined)
  t.end()
})

t.test('a name of a program with spaces and parentheses does not hide its times', (t) => {
  const text = '7 (a) R 1 (b) S 42 7 7 0 -1 4194304 99 0 0 0 11 22 3 4 20 0 1 0 1126324 3133440 358\n'
  t.strictSame(parseStat(text), { parent: 42, ticks: 33, ended: 70_000 })
  t.end()
})

t.test('processors are busy with all but idling and waiting', (t) => {
  const text = 'cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 1 2 4 900 900 8 16 32 900 900\ncpu1 100 0 0 0 0 0 0 0 0 0\nintr 5\n'
  t.equal(parseBusy(text, [0]), 630_000)
  t.equal(parseBusy(text, [0, 1]), 1_630_000)
  t.end()
})

const LINUX = process.platform === 'linux' ? false : 'needs /proc'
t.test('CPU time counts processes of the tree that have ended, and memory those that live', { skip: LINUX }, (t) => {
  const before = cpuMicroseconds(process.pid)
  const { stdout } = spawnSync(process.execPath, ['-e', BUSY], { encoding: 'utf8' })
  const used = Number(stdout)
  t.ok(used >= 100_000, `${used}`)
  // The kernel rounds each of the times down to its tick.
  t.ok(cpuMicroseconds(process.pid) - before >= used - 40_000)
  t.ok(memoryMebibytes(process.pid) > 1)
  t.ok(processIds(process.ppid).includes(process.pid))
  t.strictSame(processIds(2 ** 30), [])
  t.end()
})

t.test('lists of processors are taken apart', (t) => {
  t.strictSame(parseCores('0-2,8'), [0, 1, 2, 8])
  t.strictSame(parseCores('3'), [3])
  t.end()
})

t.test('networks differ, cannot be joined, and fit on lines', (t) => {
  for (const count of [1, 1_000, 100_000]) {
    const list = networks(count, ADMITTED)
    t.equal(new Set(list).size, count)
    t.equal(list.at(-1), ADMITTED)
    const odd = list.slice(0, -1).filter((network) => Number(network.split('.')[2]) % 2 === 1)
    t.strictSame(odd, [], 'the neighbour that each could be joined with is missing')
    const lines = inLines(list)
    t.ok(lines.join(' ') === list.join(' '))
    t.ok(lines.every((line) => line.length < 8000))
  }
  t.end()
})

t.test('options have defaults, and names are taken in the order of the table', (t) => {
  const known = ['small', 'denied', 'status']
  t.match(parseOptions([], known, ['gatewright']), {
    only: known,
    servers: ['gatewright'],
    rounds: 5,
    seconds: 2,
    connections: 32,
  })
  t.strictSame(parseOptions([], known, ['nginx', 'bare-node-direct'], ['nginx']).servers, ['nginx'])
  t.match(parseOptions(['--only', 'status,small', '--rounds', '7'], known, []), { only: ['small', 'status'], rounds: 7 })
  t.end()
})

t.test('an invalid option is reported', (t) => {
  const parse =
    (...args) =>
    () =>
      parseOptions(args, ['small'], ['nginx'])
  t.throws(parse('--only', 'smal'), { message: "--only: 'smal' is unknown\nhint: known are small" })
  t.throws(parse('--servers', 'nginx,iis'), { message: "--servers: 'iis' is unknown\nhint: known are nginx" })
  for (const value of ['0', '1.5', 'many', '1000'])
    t.throws(parse('--seconds', value), { message: `--seconds must be a number from 1 to 999, not '${value}'` })
  t.throws(parse('--fast'), { message: /--fast/ })
  t.end()
})

t.test('the guard reports each ratio that is more than 15 % above the recorded one', (t) => {
  const results = [
    { name: 'small', ratios: { 'bare-node': { cpuMicroseconds: 3.44 } } },
    { name: 'denied', ratios: { 'bare-node': { cpuMicroseconds: 3.46 } } },
  ]
  const { text, isSlower } = compareRatios(guardedRatios(results), { small: 3, denied: 3 })
  t.equal(isSlower, true)
  t.match(text, /^ {2}small +3\.44 +3\.00 +15 %$/m)
  t.match(text, /^ {2}denied +3\.46 +3\.00 +15 % {2}slower$/m)
  t.equal(compareRatios({ small: 1 }, { small: 3 }).isSlower, false)
  t.end()
})

t.test('the page has a row for each scenario and a column for each server that was measured', (t) => {
  const rounds = [{ cpuMicroseconds: 20 }, { cpuMicroseconds: 24.4 }]
  const document = {
    machine: { processor: 'P', cores: 2, node: 'v24.1.0' },
    versions: { gatewright: 'Gatewright/1', nginx: 'nginx/1', haproxy: undefined },
    rounds: 2,
    scenarios: [
      { ...RESULT, servers: { gatewright: { ...OURS, rounds }, nginx: OURS, haproxy: null }, ratios: { nginx: HALF } },
      { ...RESULT, name: 'small', servers: { gatewright: { ...OURS, rounds }, nginx: null, haproxy: null }, ratios: {} },
    ],
  }
  t.equal(
    figures(document, new Date('2026-11-29T12:00:00Z')),
    `Measured on 2026-11-29: 2 cores of P, Node v24.1.0, 2 rounds.
Servers: gatewright (Gatewright/1), nginx (nginx/1), haproxy (version unknown).

| Scenario | CPU µs | Spread | ÷ nginx |
| --- | --: | --: | --: |
| \`denied\` | 20.5 | 20 to 24 | 0.50 |
| \`small\` | 20.5 | 20 to 24 |  |
`,
  )
  t.end()
})
