import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import * as engine from '@gatewright/http2'
import t from 'tap'
import { campaign } from './fuzz-h2/campaign.ts'
import { PLANTS, plantedEngine } from './fuzz-h2/plants.ts'

const PROGRAM = join(import.meta.dirname, 'fuzz-h2/fuzz-h2.ts')
const OPTIONS = { seed: 20261128, first: 0, frames: 6000, findings: 1 }

t.test('no conversation is accepted that nghttp2 refuses, or refused that it accepts', async (t) => {
  const { found, alive, conversations } = await campaign(engine, OPTIONS)
  t.same(found, [])
  t.ok(alive > conversations / 10, `${alive} of ${conversations} connections lived on`)
})

// The others take longer to find: npm run fuzz:h2 -- --plants searches for all of them.
for (const name of ['even-streams', 'connection-fields']) {
  t.test(`the planted bug ${name} is found`, async (t) => {
    const plant = PLANTS.find((one) => one.name === name)
    if (plant === undefined) throw new Error(`no plant ${name}`)
    const { found } = await campaign(await plantedEngine(plant), { ...OPTIONS, frames: 30_000 })
    t.equal(found.length, 1)
  })
}

t.test('options that are none are refused with the usage', async (t) => {
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['--conditions=gatewright-source', '--disable-warning=ExperimentalWarning', PROGRAM, ...args], {
      encoding: 'utf8',
    })
  t.match(run('--sead', '1'), { status: 2, stderr: /^fuzz:h2: Unknown option '--sead'[\s\S]*--seed N / })
  t.match(run('--frames', 'x'), { status: 2, stderr: /^fuzz:h2: --frames needs a whole number from 1 up, not x/ })
})
