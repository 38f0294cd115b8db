#!/usr/bin/env node
// npm run slow-clients [-- --connections 2000 --descriptors 1024 --rounds 3 --seconds 3 --only slow-headers,ranges --servers gatewright,apache2,nginx --json]: what an ordinary client
// notices while many others are slow on purpose. With --descriptors each process of a server has so many: with fewer than connections, the attackers alone could use them up. Rounds alternate between the servers, which have one core; medians count. The figures of a quiet machine are worth something, others are not.
import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pickCores } from '../bench/cores.mjs'
import { median } from '../bench/statistics.mjs'
import { ATTACKS } from './attacks.mjs'
import { Crowd } from './crowd.mjs'
import { SERVER_NAMES, withServers } from './place.mjs'
import { visit } from './visitor.mjs'

/** ms that an attack needs to take effect, and that a server needs to notice the end of the attackers. */
const HOLD_MS = 2000
/** ms in which a server's processor time is measured with only the attackers connected. */
const ALONE_MS = 2000
const REST_MS = 1000

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '2000' },
    descriptors: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: ATTACKS.map(({ name }) => name).join() },
    servers: { type: 'string', default: SERVER_NAMES },
    json: { type: 'boolean', default: false },
  },
})
const connections = number('connections')
const descriptors = options.descriptors === undefined ? undefined : number('descriptors')
const rounds = number('rounds')
const seconds = number('seconds')
const attacks = ATTACKS.filter(({ name }) => options.only.split(',').includes(name))
const figures = []

const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => interruption.abort())

const cores = pickCores()
// Attackers and visitors take no time from the servers.
spawnSync('taskset', ['-apc', `${cores.client}`, `${process.pid}`])

const place = { servers: options.servers.split(','), core: cores.server, descriptors, signal: interruption.signal }
await withServers(place, async (servers) => {
  // Before any measurement, code is compiled and caches are filled.
  for (const { port } of servers) await visit(port, 1)
  for (const attack of attacks)
    for (let round = 1; round <= rounds; round++)
      for (const server of servers) {
        interruption.signal.throwIfAborted()
        figures.push(await measure(attack, server))
        console.error(`${attack.name}, round ${round}: ${described(figures.at(-1))}`)
      }
})
if (options.json) console.log(JSON.stringify(figures, null, 2))
else console.log(attacks.map(table).join('\n\n'))

async function measure(attack, contestant) {
  const { server, port } = contestant
  const idle = await visit(port, seconds)
  const crowd = new Crowd(attack, port)
  try {
    await crowd.gather(connections)
    await pause(HOLD_MS)
    const [before, attacked] = [crowd.open, await visit(port, seconds)]
    // Last, when what the system takes of answers beforehand has been sent.
    const corePercent = await usedBy(contestant)
    return { attack: attack.name, server, idle, attacked, corePercent, open: Math.min(before, crowd.open), again: crowd.again }
  } finally {
    await crowd.disperse()
    await pause(REST_MS)
  }
}

/** Share of its processor that the server uses for the attackers alone. */
async function usedBy(contestant) {
  const [began, used] = [performance.now(), contestant.cpuMicroseconds]
  await pause(ALONE_MS)
  return (contestant.cpuMicroseconds - used) / (performance.now() - began) / 10
}

/** Medians of the rounds, a line for each server. */
function table({ name, title }) {
  const lines = [row(['', 'idle p50', 'p99 ms', 'now p50', 'p99 ms', 'requests', 'failed', 'held', 'core %'])]
  for (const server of new Set(figures.map((each) => each.server))) {
    const own = figures.filter((each) => each.attack === name && each.server === server)
    const of = (pick) => median(own.map(pick))
    lines.push(
      row([
        server,
        ...[of(({ idle }) => idle.p50), of(({ idle }) => idle.p99)].map(ms),
        ...[of(({ attacked }) => attacked.p50), of(({ attacked }) => attacked.p99)].map(ms),
        String(of(({ attacked }) => attacked.requests)),
        String(of(({ attacked }) => attacked.failed)),
        String(of(({ open }) => open)),
        of(({ corePercent }) => corePercent).toFixed(1),
      ]),
    )
  }
  return `${name}: ${title} (${connections} connections, ${descriptors ?? 'all'} descriptors, medians of ${rounds} rounds)\n${lines.join('\n')}`
}

function row([first, ...cells]) {
  return `  ${first.padEnd(12)}${cells.map((cell) => cell.padStart(11)).join('')}`
}

function described({ server, idle, attacked, open, again, corePercent }) {
  const { p50, p99, requests, failed } = attacked
  return `${server} p50 ${ms(p50)}, p99 ${ms(p99)} (idle ${ms(idle.p50)}, ${ms(idle.p99)}), ${failed} of ${requests} failed, ${open} held, ${again} made anew, ${corePercent.toFixed(1)} % of the core`
}

function ms(value) {
  return value.toFixed(2)
}

function number(name) {
  const value = Number(options[name])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a number from 1, not '${options[name]}'`)
  return value
}
