// npm run equivalence:http2 [-- OPTIONS]: the same random requests as HTTP/1.1 and as HTTP/2 (see campaign.ts).
import { parseArgs } from 'node:util'
import { campaign } from './campaign.ts'

const USAGE = `npm run equivalence:http2 -- [OPTIONS]
  --seed N      of the requests (1)
  --requests M  how many (2000)
  --first I     number of the first request (0); with --requests 1 a single one`

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        requests: { type: 'string', default: '2000' },
        first: { type: 'string', default: '0' },
      },
    })
    const [seed, requests, first] = [values.seed, values.requests, values.first].map(Number)
    if (![seed, requests, first].every((value) => Number.isSafeInteger(value) && value >= 0) || requests === 0) {
      throw new Error('--seed, --requests and --first need whole numbers')
    }
    const { compared, statuses, found } = await campaign({ seed, requests, first })
    for (const text of found) console.log(`FAILED: ${text}`)
    console.log(`seed ${seed}: ${compared} requests; ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`)
    console.log(`${compared - found.length} passed, ${found.length} failed`)
    return found.length === 0 ? 0 : 1
  } catch (error) {
    console.error(`equivalence:http2: ${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    return 2
  }
}
