// npm run logins-at-once [-- --logins 1000 --rounds 3 --only ldap]: so many users log in at once, each on a connection of its own,
// for the first time and then again, and the delay of the server's event loop in that time is measured: it is what all others wait
// for. The server is in this process, which has nothing else to do. Ends with a line `N passed, N failed` that counts bursts in
// which every login succeeds and the 99th percentile is at most --limit ms.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { site } from '@gatewright/testing'
import authnCore from '../../modules/mod_authn_core/src/index.ts'
import authzCore from '../../modules/mod_authz_core/src/index.ts'
import authzUser from '../../modules/mod_authz_user/src/index.ts'
import { type Door, doors } from './doors.ts'

const { values } = parseArgs({
  options: {
    logins: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    limit: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
  },
})

/** Milliseconds between two looks at the loop. */
const RESOLUTION = 1
const NS_PER_MS = 1e6
const LOGINS = Number(values.logins)
const ROUNDS = Number(values.rounds)

let passed = 0
let failed = 0
console.log('delay of the event loop, ms                   mean    p99    max   took  busy')
for (const door of doors((path, text) => writeFileSync(path, text))) {
  if (!door.name.toLowerCase().includes(values.only.toLowerCase())) continue
  if (door.missing !== null) console.log(`${door.name}: left out, because ${door.missing} is not installed`)
  else await measure(door)
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

async function measure(door: Door): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'logins-at-once-'))
  const ends: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true })]
  try {
    // The first round only warms up.
    const rounds = Array.from({ length: ROUNDS + 1 }, (_, round) =>
      Array.from({ length: LOGINS }, (_, index) => `u${round}-${index}`),
    )
    const { server: serverLines, section } = await door.arrange(rounds.flat(), folder, (end) => ends.unshift(end))
    const server = await site({
      modules: [authzCore, authzUser, authnCore, ...door.modules],
      config: `${serverLines.join('\n')}\n<Location "/">\n${[...door.lines, ...section].join('\n')}\n</Location>`,
      files: { 'docs/f.txt': 'x' },
    })
    ends.unshift(() => server.close())
    const port = await server.listen()
    for (const [round, users] of rounds.entries()) {
      for (const when of ['first', 'again']) {
        const text = await burst(
          port,
          users.map((user) => door.login(user)),
        )
        if (round > 0) report(`${door.name}, ${when}`, text)
      }
    }
  } finally {
    for (const end of ends) await end()
  }
}

interface Burst {
  readonly statuses: Readonly<Record<string, number>>
  readonly mean: number
  readonly p99: number
  readonly max: number
  /** Milliseconds from the first request to the last response. */
  readonly took: number
  /** The share of that time in which the loop was active. */
  readonly busy: number
}

async function burst(port: number, requests: readonly string[]): Promise<Burst> {
  const crowd = fork(join(import.meta.dirname, 'crowd.mjs'), { execArgv: [] })
  crowd.send({ port, requests })
  await once(crowd, 'message')
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION })
  delays.enable()
  const begin = performance.now()
  const before = performance.eventLoopUtilization()
  crowd.send('go')
  const [statuses] = await once(crowd, 'message')
  delays.disable()
  const took = performance.now() - begin
  const { utilization } = performance.eventLoopUtilization(before)
  await once(crowd, 'exit')
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / NS_PER_MS - RESOLUTION)
  return { statuses, mean: late(delays.mean), p99: late(delays.percentile(99)), max: late(delays.max), took, busy: utilization }
}

function report(name: string, { statuses, mean, p99, max, took, busy }: Burst): void {
  const figures = [mean, p99, max].map((figure) => figure.toFixed(1).padStart(7)).join('')
  const isRight = statuses['200'] === LOGINS && p99 <= Number(values.limit)
  if (isRight) passed++
  else failed++
  const odd = statuses['200'] === LOGINS ? '' : `  ${JSON.stringify(statuses)}`
  console.log(
    `${isRight ? 'ok    ' : 'FAILED'} ${name.padEnd(36)}${figures}${took.toFixed(0).padStart(7)}${(busy * 100).toFixed(0).padStart(5)}%${odd}`,
  )
}
