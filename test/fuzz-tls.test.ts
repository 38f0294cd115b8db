import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { plantedSource } from './fixtures/planted-module.ts'
import { campaign } from './fuzz-tls/campaign.ts'
import { PLANTS } from './fuzz-tls/plants.ts'
import { attackOf } from './fuzz-tls/random-attack.ts'

const PROGRAM = join(import.meta.dirname, 'fuzz-tls/fuzz-tls.ts')
const HELLOS = [Buffer.alloc(300, 1)]

t.test('workers survive attacks on TLS, serve all others, and leave nothing open', async (t) => {
  const { attacks, findings, others } = await campaign(t, { seed: 20261123, first: 0, attacks: 150, findings: 1 })
  t.strictSame(findings, [])
  t.equal(attacks, 150)
  t.ok(others.right > 0, `${others.right} requests of others`)
})

// The others take longer to find: npm run fuzz:tls -- --plants searches for all of them.
t.test('a server that serves plain HTTP on a port of TLS is found out', async (t) => {
  const { findings } = await campaign(t, { seed: 1, first: 0, attacks: 120, findings: 1, plant: PLANTS['served-plain'] })
  t.match(findings[0], /without TLS: the server /)
})

t.test('every bug that can be planted finds its place in the sources', async (t) => {
  for (const [name, plant] of Object.entries(PLANTS)) t.doesNotThrow(() => plantedSource(plant), name)
})

t.test('an attack depends on its two numbers and on nothing else', async (t) => {
  t.same(attackOf(7, 3, HELLOS), attackOf(7, 3, HELLOS))
  t.notSame(attackOf(7, 3, HELLOS), attackOf(7, 4, HELLOS))
  t.notSame(attackOf(7, 3, HELLOS), attackOf(8, 3, HELLOS))
})

t.test('an option that is none ends with advice', async (t) => {
  const run = (...args: string[]) => spawnSync(process.execPath, [...process.execArgv, PROGRAM, ...args], { encoding: 'utf8' })
  t.match(run('--sead', '1'), { status: 2, stderr: /^fuzz:tls: Unknown option '--sead'[\s\S]*--seed N / })
  t.match(run('--attacks', 'x'), { status: 2, stderr: /^fuzz:tls: --attacks needs a whole number from 1 up, not x/ })
})
