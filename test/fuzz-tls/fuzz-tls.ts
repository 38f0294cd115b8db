// npm run fuzz:tls [-- OPTIONS]: attacks on a running server with TLS (see README.md). Ends with `N passed, N failed`.
import { parseArgs } from 'node:util'
import { type Campaign, type CampaignOptions, campaign } from './campaign.ts'
import { PLANTS } from './plants.ts'

const USAGE = `npm run fuzz:tls -- [OPTIONS]
  --seed N      of the attacks (1)
  --attacks M   how many (2000)
  --first I     number of the first attack (0); with --attacks 1 a single one
  --findings F  ends after so many findings (5)
  --plants      plants each bug of plants.ts into mod_ssl and looks for it`

/** Attacks between two lines of progress. */
const REPORT_EVERY = 500

interface Options {
  readonly seed: number
  readonly attacks: number
  readonly first: number
  readonly findings: number
}

process.exitCode = await main()

async function main(): Promise<number> {
  let options: Options & { readonly plants: boolean; readonly help: boolean }
  try {
    options = readOptions()
  } catch (error) {
    console.error(`fuzz:tls: ${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    return 2
  }
  if (options.help) console.log(USAGE)
  else if (options.plants) return findPlants(options)
  else return fuzz(options)
  return 0
}

async function fuzz(options: Options): Promise<number> {
  const began = performance.now()
  const onProgress: CampaignOptions['onProgress'] = (done, findings, memory) => {
    if (done % REPORT_EVERY === 0)
      console.error(`${done} attacks, ${findings} findings; workers need ${memory().join(' and ')} MiB`)
  }
  const { attacks, findings, others, growth } = await run({ ...options, onProgress })
  for (const finding of findings) console.log(`FAILED: ${finding} (--seed ${options.seed})`)
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(`seed ${options.seed}: ${attacks} attacks in ${seconds} s; a worker grew by ${growth} MiB at most`)
  console.log(`others: ${others.requests} requests on ${others.connections} connections, ${others.failed} failed`)
  console.log(`${attacks - Math.min(attacks, findings.length)} passed, ${findings.length} failed`)
  return findings.length === 0 ? 0 : 1
}

async function findPlants(options: Options): Promise<number> {
  let missed = 0
  for (const [name, plant] of Object.entries(PLANTS)) {
    const { attacks, findings } = await run({ ...options, findings: 1, plant })
    const outcome = findings.length > 0 ? `found within ${attacks} attacks` : `NOT found in ${attacks} attacks`
    console.log(`${name.padEnd(16)} ${outcome}: ${plant.bug}`)
    for (const finding of findings) console.log(`  ${finding.slice(0, 200)}`)
    if (findings.length === 0) missed++
  }
  const all = Object.keys(PLANTS).length
  console.log(`${all - missed} passed, ${missed} failed`)
  return missed === 0 ? 0 : 1
}

async function run(options: CampaignOptions): Promise<Campaign> {
  const ends: (() => Promise<void>)[] = []
  try {
    return await campaign({ teardown: (end) => ends.unshift(end) }, options)
  } finally {
    for (const end of ends) await end()
  }
}

function readOptions(): Options & { readonly plants: boolean; readonly help: boolean } {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      attacks: { type: 'string', default: '2000' },
      first: { type: 'string', default: '0' },
      findings: { type: 'string', default: '5' },
      plants: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const number = (name: 'seed' | 'attacks' | 'first' | 'findings', least: number): number => {
    const value = Number(values[name])
    if (Number.isInteger(value) && value >= least) return value
    throw new Error(`--${name} needs a whole number from ${least} up, not ${values[name]}`)
  }
  return {
    seed: number('seed', 0),
    attacks: number('attacks', 1),
    first: number('first', 0),
    findings: number('findings', 1),
    plants: values.plants,
    help: values.help,
  }
}
