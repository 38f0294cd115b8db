// npm run faults [-- --reloads 100 --http2-reloads 20 --kills 20 --reload-kills 10 --rotations 30 --refusals 20
// --supervisor-kills 5 --upgrades 3 --certificates 40 --json]: causes faults many times in servers with real processes under
// load, and counts the effects on their clients. 0 omits a kind. With --json, the figures go to standard
// output and text for people to standard error. Ends with a line `N passed, N failed` that counts the
// requirements.
import { parseArgs } from 'node:util'
import type { LoadReport } from '../load/tally.ts'
import { certificates } from './certificates.ts'
import type { Experiment, Outcome } from './experiment.ts'
import { http2Reloads } from './http2-reloads.ts'
import { kills } from './kills.ts'
import { killsInReloads } from './kills-in-reloads.ts'
import { refusals } from './refusals.ts'
import { reloads } from './reloads.ts'
import { rotations } from './rotations.ts'
import { supervisorKills } from './supervisor-kills.ts'
import { upgrades } from './upgrades.ts'

const { values: options } = parseArgs({
  options: {
    reloads: { type: 'string', default: '100' },
    'http2-reloads': { type: 'string', default: '20' },
    kills: { type: 'string', default: '20' },
    'reload-kills': { type: 'string', default: '10' },
    rotations: { type: 'string', default: '30' },
    refusals: { type: 'string', default: '20' },
    'supervisor-kills': { type: 'string', default: '5' },
    upgrades: { type: 'string', default: '3' },
    certificates: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
})
const PLAN: readonly (readonly [Experiment, string])[] = [
  [reloads, options.reloads],
  [http2Reloads, options['http2-reloads']],
  [kills, options.kills],
  [killsInReloads, options['reload-kills']],
  [rotations, options.rotations],
  [refusals, options.refusals],
  [supervisorKills, options['supervisor-kills']],
  [upgrades, options.upgrades],
  [certificates, options.certificates],
]
/** The progress is reported after each of this many parts. */
const PARTS = 5

const say = options.json ? console.error : console.log
const results: object[] = []
let passed = 0
let failed = 0
for (const [experiment, wanted] of PLAN) {
  const times = Number(wanted)
  if (!Number.isInteger(times) || times < 0) throw new Error(`${experiment.name}: ${wanted} is no number of times`)
  if (times > 0) await perform(experiment, times)
}
if (options.json) console.log(JSON.stringify({ passed, failed, results }, null, 2))
say(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

async function perform(experiment: Experiment, times: number): Promise<void> {
  const ends: (() => Promise<void>)[] = []
  const began = performance.now()
  const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`
  say(`--- ${times} ${experiment.name}`)
  try {
    const outcome = await experiment.run({ teardown: (end) => ends.unshift(end) }, times, (done, load) => {
      if (done === times || done % Math.ceil(times / PARTS) === 0) {
        say(`${String(done).padStart(5)} of ${times}, ${seconds()}: ${load.requests} requests, ${load.failed} failed`)
      }
    })
    tell(outcome)
    results.push({ name: experiment.name, times, seconds: (performance.now() - began) / 1000, ...outcome })
  } catch (error) {
    failed++
    say(`FAILED: ${error instanceof Error ? error.stack : error}`)
    results.push({ name: experiment.name, times, error: String(error) })
  }
  for (const end of ends) await end()
}

function tell({ load, figures, checks }: Outcome): void {
  const { requests, connections, right, failed: lost, endedWhileIdle } = load
  for (const [name, figure] of Object.entries({ requests, connections, right, failed: lost, ...kindsOf(load), ...figures })) {
    say(`${String(figure).padStart(9)}  ${name}`)
  }
  say(`${String(endedWhileIdle).padStart(9)}  kept connections ended by the server while idle`)
  for (const { what, good } of checks) {
    say(`${good ? 'ok' : 'FAILED'}: ${what}`)
    if (good) passed++
    else failed++
  }
}

function kindsOf({ failures }: LoadReport): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {}
  for (const [kind, { first, later }] of Object.entries(failures)) {
    kinds[`  ${kind}, first request of a connection`] = first
    kinds[`  ${kind}, later request`] = later
  }
  return kinds
}
