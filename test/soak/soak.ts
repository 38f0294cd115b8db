// npm run soak [-- --minutes 20 --json]: every kind of client at once, for so long. In the first 40 % of the time the server is disturbed every few seconds:
// reloads with other numbers of workers, killed workers, renamed logs, broken configurations. Then its processes are left alone, and their memory is looked at.
// Ends with a line `N passed, N failed` that counts what must be so. With --json the figures go to standard output and what people read to standard error.
import { parseArgs } from 'node:util'
import { soak } from './run.ts'
import { tableOf } from './table.ts'

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '20' }, json: { type: 'boolean', default: false } },
})
const minutes = Number(options.minutes)
if (!(minutes > 0)) throw new Error(`--minutes ${options.minutes} is no time`)

const say = options.json ? console.error : console.log
const ends: (() => Promise<void>)[] = []
try {
  const result = await soak({ teardown: (end) => ends.unshift(end) }, minutes, say)
  const passed = result.checks.filter(({ good }) => good).length
  if (options.json) console.log(JSON.stringify({ minutes, ...result }, null, 2))
  say(tableOf(result.figures))
  for (const { what, good } of result.checks) say(`${good ? 'ok' : 'FAILED'}: ${what}`)
  say(`${passed} passed, ${result.checks.length - passed} failed`)
  process.exitCode = passed === result.checks.length ? 0 : 1
} finally {
  for (const end of ends) await end()
}
