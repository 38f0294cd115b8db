// npm run interleave:http2 [-- OPTIONS]: frames of several requests in random interleavings, split at random bytes; each request
// must get the answer that it gets alone by HTTP/1.1 (see campaign.ts).
import { parseArgs } from 'node:util'
import { type CampaignOptions, campaign } from './campaign.ts'
import { findPlants } from './plants.ts'

const USAGE = `npm run interleave:http2 -- [OPTIONS]
  --seed N           of the conversations (1)
  --conversations M  how many (500)
  --first I          number of the first conversation (0)
  --findings F       ends after so many differences (5)
  --plants           plants bugs into the sources one at a time, and looks for each`

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        conversations: { type: 'string', default: '500' },
        first: { type: 'string', default: '0' },
        findings: { type: 'string', default: '5' },
        plants: { type: 'boolean', default: false },
      },
    })
    const [seed, conversations, first, findings] = [values.seed, values.conversations, values.first, values.findings].map(Number)
    if (![seed, conversations, first, findings].every((value) => Number.isSafeInteger(value) && value >= 0)) {
      throw new Error('--seed, --conversations, --first and --findings need whole numbers')
    }
    if (conversations === 0 || findings === 0) throw new Error('--conversations and --findings must be at least 1')
    return values.plants ? await findPlants(seed, conversations) : await compare({ seed, conversations, first, findings })
  } catch (error) {
    console.error(`interleave:http2: ${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    return 2
  }
}

async function compare(options: CampaignOptions): Promise<number> {
  const { frames, compared, givenUp, found } = await campaign(options)
  for (const text of found) console.log(`FAILED: ${text}`)
  console.log(`seed ${options.seed}: ${frames} frames, ${givenUp} requests given up`)
  console.log(`${Math.max(0, compared - found.length)} passed, ${found.length} failed`)
  return found.length === 0 ? 0 : 1
}
