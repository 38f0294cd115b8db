// npm run fuzz:http [-- OPTIONS]: random streams of requests for our parser and for Node's llhttp (see README.md). Ends with
// `N messages, N taken by both, N divergences`; the exit status is 1 if there are any, or if a planted bug was not found.
import { parseArgs } from 'node:util'
import * as engine from '@gatewright/http'
import { Contest, type Finding } from './campaign.ts'
import { PLANTS, plantedEngine } from './plants.ts'
import { shrink } from './shrink.ts'
import { escaped } from './stream.ts'
import type { Strictness } from './strictness.ts'

const USAGE = `npm run fuzz:http -- [OPTIONS]
  --seed N      of the streams (1)
  --messages M  how many are written, at least (200000)
  --first I     number of the first stream (0); with --messages 1 a single one
  --findings F  ends after so many divergences (5)
  --unsafe      reads as with HttpProtocolOptions Unsafe, and llhttp with all of its leniencies
  --plants      plants each bug of plants.ts into our parser and looks for it`

/** Interval between two lines of progress, ms. */
const REPORT_EVERY = 10_000

interface Options {
  readonly seed: number
  readonly messages: number
  readonly first: number
  readonly findings: number
  readonly strictness: Strictness
}

process.exitCode = await main()

async function main(): Promise<number> {
  let options: Options & { plants: boolean; help: boolean }
  try {
    options = readOptions()
  } catch (error) {
    console.error(`fuzz:http: ${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    return 2
  }
  if (options.help) console.log(USAGE)
  else if (options.plants) return findPlants(options)
  else return fuzz(options)
  return 0
}

async function fuzz(options: Options): Promise<number> {
  const contest = new Contest(engine, options.strictness)
  const begin = performance.now()
  let reported = begin
  const { tally } = await contest.run({
    ...options,
    onFinding: (finding) => report(contest, finding, options),
    onBatch({ messages, divergences }) {
      if (performance.now() - reported < REPORT_EVERY) return
      reported = performance.now()
      console.error(`${messages} messages, ${divergences} divergences, ${perSecond(messages, begin)} messages/s`)
    },
  })
  for (const line of tally.lines()) console.log(line)
  console.log(
    `${tally.streams} streams, ${tally.bytes} bytes, ${perSecond(tally.messages, begin)} messages/s, seed ${options.seed}`,
  )
  console.log(`${tally.messages} messages, ${tally.common} taken by both, ${tally.divergences} divergences`)
  return tally.divergences === 0 ? 0 : 1
}

async function findPlants(options: Options): Promise<number> {
  let missed = 0
  const plants = PLANTS.filter(({ onlyIn = options.strictness }) => onlyIn === options.strictness)
  for (const plant of plants) {
    const contest = new Contest(await plantedEngine(plant), options.strictness)
    const { tally, found } = await contest.run({
      ...options,
      findings: 1,
      onFinding: (finding) => report(contest, finding, options),
    })
    const outcome = found.length > 0 ? `found by message ${tally.messages}` : `NOT found in ${tally.messages} messages`
    console.log(`${plant.name.padEnd(24)} ${outcome}: ${plant.bug}`)
    if (found.length === 0) missed++
  }
  console.log(`${plants.length - missed} of ${plants.length} planted bugs found`)
  return missed === 0 ? 0 : 1
}

async function report(contest: Contest, { index, stream, divergence }: Finding, { seed }: Options): Promise<void> {
  const least = await shrink(stream, async (shorter) => (await contest.compare(shorter)).divergence?.what === divergence.what)
  const { divergence: shown } = await contest.compare(least)
  console.log(`--- ${divergence.what} (--seed ${seed} --first ${index} --messages 1)`)
  console.log(`    bytes  ${escaped(least.text)}${least.cuts.length === 0 ? '' : ` cut at ${least.cuts.join(', ')}`}`)
  console.log(`    ours   ${escaped(shown?.ours ?? '')}`)
  console.log(`    Node's ${escaped(shown?.theirs ?? '')}`)
}

function perSecond(messages: number, begin: number): number {
  return Math.round(messages / ((performance.now() - begin) / 1000))
}

function readOptions(): Options & { plants: boolean; help: boolean } {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      messages: { type: 'string', default: '200000' },
      first: { type: 'string', default: '0' },
      findings: { type: 'string', default: '5' },
      unsafe: { type: 'boolean', default: false },
      plants: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const number = (name: 'seed' | 'messages' | 'first' | 'findings', least: number): number => {
    const value = Number(values[name])
    if (Number.isInteger(value) && value >= least) return value
    throw new Error(`--${name} needs a whole number from ${least} up, not ${values[name]}`)
  }
  return {
    seed: number('seed', 0),
    messages: number('messages', 1),
    first: number('first', 0),
    findings: number('findings', 1),
    strictness: values.unsafe ? 'Unsafe' : 'Strict',
    plants: values.plants,
    help: values.help,
  }
}
