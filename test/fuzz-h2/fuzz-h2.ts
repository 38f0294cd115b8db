// npm run fuzz:h2 [-- OPTIONS]: random conversations of HTTP/2, compared with nghttp2's verdicts (see README.md).
import { parseArgs } from 'node:util'
import * as engine from '@gatewright/http2'
import { type CampaignOptions, campaign, report } from './campaign.ts'
import { PLANTS, plantedEngine } from './plants.ts'

const USAGE = `npm run fuzz:h2 -- [OPTIONS]
  --seed N      of the conversations (1)
  --frames M    how many frames at least (50000)
  --first I     number of the first conversation (0)
  --findings F  ends after so many divergences (5)
  --plants      plants each bug of plants.ts into packages/http2 and looks for it`

process.exitCode = await main()

async function main(): Promise<number> {
  let options: CampaignOptions & { readonly plants: boolean; readonly help: boolean }
  try {
    options = readOptions()
  } catch (error) {
    console.error(`fuzz:h2: ${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    return 2
  }
  if (options.help) console.log(USAGE)
  else if (options.plants) return findPlants(options)
  else return fuzz(options)
  return 0
}

async function fuzz(options: CampaignOptions): Promise<number> {
  const { conversations, frames, alive, known, found } = await campaign(engine, options)
  for (const divergence of found) console.log(`FAILED: ${report(divergence, options.seed)}`)
  for (const [name, count] of known) console.log(`${count} times known: ${name}`)
  console.log(`seed ${options.seed}: ${frames} frames in ${conversations} conversations, ${alive} connections lived on`)
  console.log(`${conversations - found.length} passed, ${found.length} failed`)
  return found.length === 0 ? 0 : 1
}

async function findPlants(options: CampaignOptions): Promise<number> {
  let missed = 0
  for (const plant of PLANTS) {
    const { frames, found } = await campaign(await plantedEngine(plant), { ...options, findings: 1 })
    const outcome = found.length > 0 ? `found within ${frames} frames` : `NOT found in ${frames} frames`
    console.log(`${plant.name.padEnd(20)} ${outcome}: ${plant.bug}`)
    if (found.length === 0) missed++
  }
  console.log(`${PLANTS.length - missed} passed, ${missed} failed`)
  return missed === 0 ? 0 : 1
}

function readOptions(): CampaignOptions & { readonly plants: boolean; readonly help: boolean } {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      frames: { type: 'string', default: '50000' },
      first: { type: 'string', default: '0' },
      findings: { type: 'string', default: '5' },
      plants: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const number = (name: 'seed' | 'frames' | 'first' | 'findings', least: number): number => {
    const value = Number(values[name])
    if (!Number.isSafeInteger(value) || value < least) {
      throw new Error(`--${name} needs a whole number from ${least} up, not ${values[name]}`)
    }
    return value
  }
  const { plants, help } = values
  return {
    seed: number('seed', 0),
    frames: number('frames', 1),
    first: number('first', 0),
    findings: number('findings', 1),
    plants,
    help,
  }
}
