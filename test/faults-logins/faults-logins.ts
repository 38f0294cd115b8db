// npm run faults:logins [-- --times 3 --only slapd,redis --json]: ends the directory, the database or the cache that servers ask
// about users, again and again under load, and counts what clients notice: wrong grants, and failures of remembered users. Needs
// slapd, postgresql, mariadb-server and redis-server; a fault whose program is missing is named and left out. With --json, the
// figures go to standard output and text for people to standard error. Ends with a line `N passed, N failed` that counts the
// requirements.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { until } from '../fixtures/until.ts'
import { cacheAway } from './cache.ts'
import { databasesRestarted } from './database.ts'
import { directoryKilled } from './directory.ts'
import type { Fault } from './fault.ts'
import { Visitors, type VisitorTally } from './visitors.ts'

/** So many answers of every kind show that it runs as it will. */
const WARM = 50

/** Milliseconds by which a worker may notice later that a service is back. */
const MORE = 5_000

const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
})
const times = Number(options.times)
if (!Number.isInteger(times) || times < 1) throw new Error(`--times ${options.times} is no number of times`)
const wanted = options.only.toLowerCase().split(',')
const faults = [directoryKilled, ...databasesRestarted, cacheAway].filter(({ name }) =>
  wanted.some((word) => name.toLowerCase().includes(word)),
)

const say = options.json ? console.error : console.log
const results: object[] = []
let passed = 0
let failed = 0
for (const fault of faults) {
  if (fault.missing.length > 0) say(`--- ${fault.name}: left out, because ${fault.missing.join(', ')} is not installed`)
  else await perform(fault)
}
if (options.json) console.log(JSON.stringify({ passed, failed, results }, null, 2))
say(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

async function perform(fault: Fault): Promise<void> {
  const ends: (() => Promise<void>)[] = []
  say(`--- ${fault.name}, ${times} times for ${fault.away / 1000} s`)
  try {
    const { tallies, recoveries } = await cause(fault, (end) => ends.unshift(end))
    report(fault, tallies, recoveries)
  } catch (error) {
    failed++
    say(`FAILED: ${error instanceof Error ? error.stack : error}`)
    results.push({ name: fault.name, error: String(error) })
  }
  for (const end of ends) await end()
}

interface Caused {
  readonly tallies: readonly VisitorTally[]
  /** Milliseconds until all servers used the service again, for each time. */
  readonly recoveries: readonly number[]
}

async function cause(fault: Fault, teardown: (end: () => Promise<void>) => void): Promise<Caused> {
  const setting = await fault.arrange({ teardown })
  await setting.prepare()
  const visitors = new Visitors(setting.servers, setting.visitors)
  teardown(() => visitors.stop())
  const recoveries: number[] = []
  await visitors.answers(WARM)
  for (let time = 0; time < times; time++) {
    visitors.isAway = true
    await setting.end()
    await pause(fault.away)
    await visitors.answers(WARM)
    await setting.restart()
    const began = performance.now()
    for (const server of setting.servers) await until(`${fault.name}: the server recovers`, () => setting.isUsed(server))
    recoveries.push(performance.now() - began)
    // The other worker may leave the service alone for as long again as it was away.
    await pause(fault.away + MORE)
    visitors.isAway = false
    await visitors.answers(WARM)
  }
  await visitors.stop()
  return { tallies: visitors.tallies, recoveries }
}

function report(fault: Fault, tallies: readonly VisitorTally[], recoveries: readonly number[]): void {
  say(`  ${'visitors'.padEnd(36)} requests   200   401   429   500   503  unanswered  wrong`)
  for (const tally of tallies) {
    const counts = [200, 401, 429, 500, 503].map((status) => String(tally.count(status)).padStart(5)).join(' ')
    const { kind, requests, unanswered, wrong } = tally
    say(
      `  ${kind.name.padEnd(36)} ${String(requests).padStart(8)} ${counts} ${String(unanswered).padStart(11)} ${String(wrong.length).padStart(6)}`,
    )
    for (const complaint of new Set(wrong)) say(`    ${complaint}: ${wrong.filter((one) => one === complaint).length} times`)
  }
  say(`  the service was used again after ${recoveries.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}`)
  const grants = tallies.reduce((sum, { wrongGrants }) => sum + wrongGrants, 0)
  const remembered = tallies.filter(({ kind }) => kind.whileAway.length === 0 && kind.usual.includes(200))
  const checks = [
    ['no wrong grant', grants === 0],
    ['no failure of a remembered user', remembered.every(({ wrong, unanswered }) => wrong.length === 0 && unanswered === 0)],
    ['every request is answered as documented', tallies.every(({ wrong, unanswered }) => wrong.length === 0 && unanswered === 0)],
  ] as const
  for (const [what, good] of checks) {
    say(`${good ? 'ok' : 'FAILED'}: ${what}`)
    if (good) passed++
    else failed++
  }
  results.push({
    name: fault.name,
    times,
    recoveries,
    visitors: tallies.map(({ kind, statuses, unanswered, wrong, wrongGrants }) => ({
      name: kind.name,
      statuses: Object.fromEntries(statuses),
      unanswered,
      wrong,
      wrongGrants,
    })),
  })
}
