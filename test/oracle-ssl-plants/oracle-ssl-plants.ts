// npm run oracle:ssl-plants [-- --only TEXT]: runs oracle:ssl-clients, oracle:ssl-folders and oracle:ssl-require with bugs
// that are planted into the sources one at a time, and reports those that are not found. A bug is found when the oracle
// sees more differences than without it; then its run ends. Needs apache2. Ends with a line `N passed, N failed`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type OracleName, PLANTS, type Plant } from './plants.ts'

const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } })

/** Arguments that make a run short and let it visit what the bugs are about. */
const ARGUMENTS: Readonly<Record<OracleName, readonly string[]>> = {
  'ssl-clients': ['--seed', '1', '--worlds', '6', '--clients', '100', '--show', '0'],
  'ssl-folders': ['--seed', '1', '--worlds', '6', '--journeys', '150', '--show', '0'],
  'ssl-require': ['--seed', '1', '--count', '400'],
}

const baselines = new Map<OracleName, number>()
let failed = 0
const plants = PLANTS.filter(({ bug, oracle }) => `${oracle} ${bug}`.includes(options.only))
for (const plant of plants) {
  const { bug, oracle } = plant
  const before = baselines.get(oracle) ?? (await differences(oracle, null, Infinity))
  baselines.set(oracle, before)
  const found = await differences(oracle, plant, before + 1)
  const isFound = found > before
  if (!isFound) failed++
  console.log(`${isFound ? 'found    ' : 'NOT FOUND'} ${oracle}: ${bug} (${found} differences, ${before} without the bug)`)
}
console.log(`${plants.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 && plants.length > 0 ? 0 : 1

/**
 * The number of differences that an oracle reports.
 * @param most those that settle it: the longer oracles end there
 */
async function differences(oracle: OracleName, plant: Plant | null, most: number): Promise<number> {
  const file = join(import.meta.dirname, `../oracle-${oracle}/oracle-${oracle}.ts`)
  const planting = plant === null ? [] : ['--import', join(import.meta.dirname, 'planting.ts')]
  const ending = oracle === 'ssl-require' ? [] : ['--findings', String(most)]
  const words = [...process.execArgv, ...planting, file, ...ARGUMENTS[oracle], ...ending]
  const env = plant === null ? process.env : { ...process.env, PLANT: JSON.stringify(plant) }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()))
  await new Promise<void>((resolve) => child.on('close', () => resolve()))
  const [, count] = /(\d+) (?:failed|differences)\s*$/.exec(output) ?? []
  if (count === undefined) throw new Error(`oracle:${oracle} has no result:\n${output}`)
  return Number(count)
}
