import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { campaign } from './interleave-http2/campaign.ts'
import { PLANTS, searchFor } from './interleave-http2/plants.ts'

const PROGRAM = join(import.meta.dirname, 'interleave-http2/interleave-http2.ts')

t.test('requests whose frames are interleaved get the answers and log lines that they get alone by HTTP/1.1', async (t) => {
  const { found, compared, givenUp } = await campaign({ seed: 20261129, conversations: 80, first: 0, findings: 3 })
  t.same(found, [])
  t.ok(compared > 200 && givenUp > 20, `${compared} requests compared, ${givenUp} given up`)
})

// The others take longer: npm run interleave:http2 -- --plants searches for all of them.
for (const part of ['padding belongs', 'small responses']) {
  t.test(`the planted bug is found: ${part}`, async (t) => {
    const plant = PLANTS.find(({ bug }) => bug.startsWith(part))
    if (plant === undefined) throw new Error(`no plant ${part}`)
    t.match(await searchFor(plant, 1, 200), { isFound: true })
  })
}

t.test('options that are none are refused with the usage', async (t) => {
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['--conditions=gatewright-source', '--disable-warning=ExperimentalWarning', PROGRAM, ...args], {
      encoding: 'utf8',
    })
  t.match(run('--sead', '1'), { status: 2, stderr: /^interleave:http2: Unknown option '--sead'[\s\S]*--seed N / })
  t.match(run('--conversations', '0'), {
    status: 2,
    stderr: /^interleave:http2: --conversations and --findings must be at least 1/,
  })
})
