// npm run oracle:doors [-- OPTIONS]: random servers with several hosts, on Apache httpd and on our server (see README.md and options.mjs).
// Ends with `N passed, N failed`, which counts requests; the exit status is 1 if any differ in what is not deliberate.
import { appendFileSync } from 'node:fs'
import { Progress } from '../oracle/progress.mjs'
import { reasonNotToCompare } from '../oracle/sides.mjs'
import { kindOf } from './compare.mjs'
import { deliberate } from './deliberate.mjs'
import { describe } from './describe.mjs'
import { randomWorld } from './generate/world.mjs'
import { readOptions, USAGE } from './options.mjs'
import { runWorld } from './run-world.mjs'
import { bothServers } from './servers.mjs'
import { shrink } from './shrink.mjs'

// At the end of this program its listeners end running servers.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
process.exitCode = await main()

async function main() {
  let options
  try {
    options = readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`oracle:doors: ${error.message}\n\n${USAGE}`)
    return 2
  }
  if (options.help) {
    console.log(USAGE)
    return 0
  }
  const reason = reasonNotToCompare()
  if (reason !== null) {
    console.error(`oracle:doors: cannot compare: ${reason}`)
    return 2
  }
  return compare(options)
}

async function compare(options) {
  const sides = bothServers()
  const progress = new Progress(process.stderr)
  const totals = { worlds: 0, requests: 0, crashed: 0, refused: 0, heavy: 0, deliberate: new Map() }
  const differing = []
  let next = options.first
  const last = options.first + options.worlds
  const worker = async () => {
    while (totals.requests < options.requests && next < last) {
      const index = next++
      const world = randomWorld(options.seed, index, { hosts: options.hosts, requests: options.each })
      const result = await runWorld(world, { sides, keep: options.keep })
      count(totals, result)
      for (const each of result.differing) {
        const differences = remaining(each, world, totals)
        if (differences.length === 0) continue
        differing.push({ ...each, differences, world, index })
        if (options.save !== undefined)
          appendFileSync(options.save, `${JSON.stringify(facts(each, differences, world, index))}\n`)
      }
      progress.tell(`${totals.requests} of ${options.requests} requests, ${totals.worlds} worlds, ${differing.length} differ`, {
        done: true,
      })
    }
  }
  await Promise.all(Array.from({ length: options.jobs }, worker))
  await report(differing, { ...options, sides }, progress)
  for (const [name, times] of totals.deliberate) console.log(`deliberate: ${name}: ${times} requests`)
  console.log(
    `${totals.crashed} hosts set aside on which httpd crashed, ${totals.refused} that both servers refuse, ${totals.heavy} requests as too much work`,
  )
  console.log(`${totals.requests - differing.length} passed, ${differing.length} failed`)
  return differing.length === 0 && totals.requests > 0 ? 0 : 1
}

function facts({ host, request }, differences, world, index) {
  const { name, requests } = world.hosts[host]
  return { world: index, host: name, allowMethods: world.allowMethods, request: requests[request], number: request, differences }
}

function count(totals, { requests, heavy, crashed, refused }) {
  totals.worlds++
  totals.requests += requests
  totals.heavy += heavy
  totals.crashed += crashed.length
  totals.refused += refused.length
}

/** The differences, except deliberate ones, which are counted. */
function remaining({ host, request, differences }, world, totals) {
  return differences.filter((difference) => {
    const name = deliberate(difference, {
      request: world.hosts[host].requests[request],
      host: world.hosts[host],
      world,
      differences,
    })
    if (name !== null) totals.deliberate.set(name, (totals.deliberate.get(name) ?? 0) + 1)
    return name === null
  })
}

async function report(differing, options, progress) {
  const kinds = Map.groupBy(differing, ({ differences }) => kindOf(differences))
  const sorted = [...kinds].sort(([, a], [, b]) => b.length - a.length)
  for (const [kind, { length, 0: first }] of sorted.slice(0, options.show))
    console.log(
      `${length} x ${kind.slice(0, 200)}: first in world ${first.index}, ${first.world.hosts[first.host].name}, request ${first.request}`,
    )
  const chosen = sorted.filter(([kind]) => options.only === undefined || kind.includes(options.only)).slice(0, options.shrink)
  for (const [kind, [first]] of chosen) {
    progress.tell(`cutting down ${kind.slice(0, 80)}`, { done: true })
    const smallest = await shrink(first.world, first, options)
    const title = `seed ${options.seed} world ${first.index}: ${kind.slice(0, 200)}`
    const alone = () => ({
      world: first.world,
      host: { ...first.world.hosts[first.host], requests: [first.world.hosts[first.host].requests[first.request]] },
      differences: first.differences,
    })
    console.log(`\n${smallest === null ? describe(`${title}, only with the other hosts`, alone()) : describe(title, smallest)}`)
  }
}
