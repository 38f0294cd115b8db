// npm run oracle:filters [-- --seed N --count M --show K] [--plants]: sends the same texts through random scripts of mod_sed and
// random substitutions of mod_substitute in Apache httpd and Gatewright, and reports every difference in status and body. With
// --plants, a rule of Gatewright is written differently in each case, and most must be found. Needs apache2 and a built dist/.
// Ends with a line `N passed, N failed`.
import { request } from 'node:http'
import { parseArgs } from 'node:util'
import { freePort } from '../fixtures/free-port.ts'
import { Random } from '../fixtures/random.ts'
import { contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { randomScript, randomSubstitution, randomText } from './rule-generator.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '400' },
    show: { type: 'string', default: '15' },
    plants: { type: 'boolean', default: false },
  },
})

const NO_ANSWER = 'no answer'

const CONTESTANTS = contestantsWith(['sed', 'substitute'])

const random = new Random(Number(options.seed))
const site = new Site()
const port = await freePort()
const cases = Array.from({ length: Number(options.count) }, (_, index) => {
  const filter = random.percent(60) ? 'Sed' : 'SUBSTITUTE'
  const rules = filter === 'Sed' ? [randomScript(random)] : random.several(1, 3, () => randomSubstitution(random))
  site.write(`t${index}/f.txt`, randomText(random))
  return { filter, rules, path: `/t${index}/f.txt` }
})

const running: Running[] = []
try {
  for (const contestant of CONTESTANTS) {
    running.push(await start(contestant, site, port, configuration(options.plants && contestant.name === 'gatewright')))
  }
  await compare()
} finally {
  for (const one of running) await one.stop()
  site.remove()
}

function configuration(planted: boolean): string[] {
  const lines = cases.flatMap(({ filter, rules, path }) => {
    const directive = filter === 'Sed' ? 'OutputSed' : 'Substitute'
    const written = planted ? rules.map((rule) => rule.replace(/a/g, 'b')) : rules
    return [
      `<Location ${path}>`,
      `SetOutputFilter ${filter}`,
      ...written.map((rule) => `${directive} ${quoted(rule)}`),
      '</Location>',
    ]
  })
  return ['LogLevel crit', ...lines]
}

function quoted(rule: string): string {
  return `"${rule.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

async function compare(): Promise<void> {
  let failed = 0
  for (const { filter, rules, path } of cases) {
    const [theirs, ours] = await Promise.all(running.map(({ contestant }) => visit(contestant.address, path)))
    // Some scripts crash httpd.
    if (theirs === NO_ANSWER || theirs === ours) continue
    if (++failed > Number(options.show)) continue
    const text = JSON.stringify(site.read(`htdocs${path}`))
    console.log(`--- ${filter} ${rules.join(' | ')}\n    of ${text}\n      httpd      ${theirs}\n      gatewright ${ours}`)
  }
  if (options.plants) {
    const found = failed > cases.length / 4
    console.log(`${failed} of ${cases.length} changed rules were found`)
    console.log(found ? '1 passed, 0 failed' : '0 passed, 1 failed')
    process.exitCode = found ? 0 : 1
    return
  }
  console.log(`${cases.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

function visit(address: string, path: string): Promise<string> {
  return new Promise((resolve) => {
    const asked = request({ host: address, port, path, agent: false }, (answer) => {
      let body = ''
      answer.setEncoding('latin1').on('data', (text: string) => (body += text))
      answer.on('error', () => resolve(NO_ANSWER))
      answer.on('end', () => resolve(`${answer.statusCode} ${answer.statusCode === 200 ? JSON.stringify(body) : ''}`))
    })
    asked.on('error', () => resolve(NO_ANSWER))
    asked.setTimeout(20_000, () => asked.destroy(new Error('no answer in 20 s')))
    asked.end()
  })
}
