// npm run oracle [-- OPTIONS]: random policies on Apache httpd and on our server side by side (see README.md and options.mjs).
// Ends with `N policies, N requests, N differ`; the exit status is 1 if any differ, or if a planted bug was not found.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { campaign } from './campaign.mjs'
import { kindOf } from './differences.mjs'
import { readOptions, USAGE } from './options.mjs'
import { PLANTS, plantedServer } from './plants.mjs'
import { Progress } from './progress.mjs'
import { describe } from './report.mjs'
import { shrink } from './shrink.mjs'
import { bothSides, reasonNotToCompare } from './sides.mjs'

const SMALL_BATCH = 100

// At the end of this program its listeners end running servers.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
process.exitCode = await main()

async function main() {
  let options
  try {
    options = readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`oracle: ${error.message}\n\n${USAGE}`)
    return 2
  }
  if (options.help) return say(USAGE)
  if (options.plant !== undefined && !(options.plant in PLANTS)) {
    for (const [name, { bug }] of Object.entries(PLANTS)) console.log(`${name.padEnd(24)} ${bug}`)
    return options.plant === 'list' ? 0 : 2
  }
  const reason = reasonNotToCompare()
  if (reason !== null) {
    console.error(`oracle: cannot compare: ${reason}`)
    return 2
  }
  const progress = new Progress(process.stderr)
  if (options.plants) return findAll(Object.keys(PLANTS), options, progress)
  if (options.plant !== undefined) return findAll([options.plant], options, progress)
  return compareSeeds(options, progress)
}

function say(text) {
  console.log(text)
  return 0
}

async function compareSeeds(options, progress) {
  const sides = bothSides(options)
  const totals = { policies: 0, requests: 0 }
  const differing = []
  for (let seed = options.seed; seed < options.seed + options.seeds; seed++) {
    let policies = 0
    const before = differing.length
    const tell = (settings) =>
      progress.tell(`seed ${seed}: ${policies} of ${options.count} policies, ${differing.length - before} differ`, settings)
    for await (const part of campaign({ ...options, seed, sides })) {
      policies += part.policies
      totals.policies += part.policies
      totals.requests += part.requests
      differing.push(...part.differing)
      if (part.unanswered.length > 0)
        console.error(`seed ${seed}: not compared, because httpd crashed: policies ${part.unanswered.join(', ')}`)
      if (!options.json) for (const each of part.differing) console.log(summary(each))
      tell()
    }
    tell({ done: true })
  }
  const smallest = await shrunk(differing, options, progress)
  const last = `${totals.policies} policies, ${totals.requests} requests, ${differing.length} differ`
  if (options.json) {
    console.log(
      JSON.stringify({ ...totals, differ: differing.length, differing: differing.map(withoutPolicy), smallest }, null, 1),
    )
  } else {
    for (const { text } of smallest) console.log(`\n${text}`)
    console.log(last)
  }
  return differing.length === 0 ? 0 : 1
}

function withoutPolicy({ seed, index, differences }) {
  return { seed, policy: index, differences }
}

function summary({ seed, index, differences: [{ where, field, expected, got }] }) {
  const short = (value) => (value === undefined ? '(none)' : JSON.stringify(value)).slice(0, 120)
  const first = (list, others) => list.find((line) => !others.includes(line))
  const isList = Array.isArray(expected) && Array.isArray(got)
  const [wanted, found] = isList ? [first(expected, got), first(got, expected)] : [expected, got]
  return `seed ${seed} policy ${index}: ${where}, ${field}: httpd ${short(wanted)}, ours ${short(found)}`
}

/** The first of each kind of difference, cut down. */
async function shrunk(differing, options, progress) {
  const kinds = new Map()
  for (const each of differing) {
    const kind = kindOf(each.differences[0])
    if (!kinds.has(kind)) kinds.set(kind, each)
  }
  const out = []
  for (const { seed, index, policy, differences, logLevel, sides } of [...kinds.values()].slice(0, options.shrink)) {
    progress.tell(`cutting down policy ${index} of seed ${seed}`)
    const best = await shrink(policy, differences, { ...options, logLevel, sides })
    out.push({
      seed,
      policy: index,
      smallest: best.policy,
      text: describe(
        `seed ${seed} policy ${index}, LogLevel ${logLevel}${sides.modules.includes('allowmethods') ? ', mod_allowmethods' : ''}`,
        best,
      ),
    })
  }
  if (out.length > 0) progress.tell(`cut down ${out.length}`, { done: true })
  return out
}

/** Plants each bug in turn and searches until a policy differs. */
async function findAll(names, options, progress) {
  const found = []
  for (const name of names) {
    const folder = mkdtempSync(join(tmpdir(), 'oracle-planted-'))
    try {
      const planted = await plantedServer(name, folder)
      found.push(await find(name, { ...options, batchSize: SMALL_BATCH, sides: bothSides({ ...options, ...planted }) }, progress))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const missed = found.filter(({ policies }) => policies === null)
  if (options.json) console.log(JSON.stringify({ plants: found }, null, 1))
  else {
    for (const { text } of found) if (text !== '') console.log(text)
    for (const { name, policies } of found)
      console.log(
        `${name.padEnd(24)} ${policies === null ? `NOT found in ${options.count} policies` : `found by policy ${policies}`}: ${PLANTS[name].bug}`,
      )
    console.log(`${found.length - missed.length} of ${found.length} planted bugs found`)
  }
  return missed.length === 0 ? 0 : 1
}

async function find(name, options, progress) {
  let tried = 0
  for await (const part of campaign(options)) {
    tried += part.policies
    progress.tell(`${name}: ${tried} policies`, { done: part.differing.length > 0 })
    if (part.differing.length === 0) continue
    const [{ seed, index, policy, differences, logLevel, sides }] = part.differing
    const found = { name, policies: index + 1 - options.first, text: '' }
    if (options.shrink === 0) return found
    const best = await shrink(policy, differences, { ...options, logLevel, sides })
    return { ...found, text: `${describe(`${name}: seed ${seed} policy ${index}`, best)}\n` }
  }
  return { name, policies: null, text: '' }
}
