// npm run oracle:rewrite [-- --seed N --count M --visits V --port P --show K]: writes random rules into virtual hosts and
// .htaccess files, sends the same random requests to Apache httpd and Gatewright, and reports every difference in status,
// Location, Vary, Set-Cookie, type, variables and body. Needs apache2 and a built dist/. Ends with a line
// `N passed, N failed` that counts cases.
import { request } from 'node:http'
import { parseArgs } from 'node:util'
import { freePort } from '../fixtures/free-port.ts'
import { Random } from '../fixtures/random.ts'
import { contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { RuleGenerator, type RulePlace, randomPath } from './rule-generator.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    visits: { type: 'string', default: '5' },
    port: { type: 'string' },
    show: { type: 'string', default: '20' },
  },
})

interface Case {
  readonly place: RulePlace
  readonly host: string
  readonly lines: readonly string[]
  readonly paths: readonly string[]
}

const CONTESTANTS = contestantsWith(['rewrite'])

const random = new Random(Number(options.seed))
const site = new Site()
site.write('sub/page.html', 'sub page\n')
site.write('sub/index.html', 'sub index\n')
site.write('table', 'a value-of-a\nb b|c\n')
const port = options.port === undefined ? await freePort() : Number(options.port)
const generator = new RuleGenerator(random, site.tree)
const cases = Array.from({ length: Number(options.count) }, (_, index) => makeCase(index))

const running: Running[] = []
try {
  for (const contestant of CONTESTANTS) running.push(await start(contestant, site, port, configuration()))
  await compare()
} finally {
  for (const one of running) await one.stop()
  site.remove()
}

function makeCase(index: number): Case {
  const place: RulePlace = random.percent(50) ? 'host' : 'folder'
  const lines = generator.lines(place)
  const folder = `e${index}`
  site.folder(folder, place === 'folder' ? lines : [])
  site.write(`${folder}/sub/page.html`, 'page of the folder\n')
  const visits = Number(options.visits)
  const prefix = place === 'folder' ? `/${folder}/` : '/'
  return {
    place,
    host: `${folder}.test`,
    lines: place === 'host' ? lines : [],
    paths: random.several(visits, visits, () => prefix + randomPath(random)),
  }
}

function configuration(): string[] {
  const maps = ['lower int:tolower', 'escape int:escape', `table txt:${site.tree}/table`].map((map) => `RewriteMap ${map}`)
  const hosts = cases.flatMap(({ host, lines }) => [
    '<VirtualHost *:*>',
    `ServerName ${host}`,
    ...maps,
    ...lines,
    '</VirtualHost>',
  ])
  return ['LogLevel crit', `Alias /aliased ${site.tree}/sub`, 'Header always set X-V "%{V}e|%{REDIRECT_V}e"', ...hosts]
}

async function compare(): Promise<void> {
  let failed = 0
  const statuses = new Map<number, number>()
  for (const [index, one] of cases.entries()) {
    const differences: string[] = []
    for (const path of one.paths) {
      const [theirs, ours] = await Promise.all(running.map(({ contestant }) => visit(contestant.address, one.host, path)))
      statuses.set(theirs.status, (statuses.get(theirs.status) ?? 0) + 1)
      if (theirs.told !== ours.told) differences.push(`${path}\n      httpd      ${theirs.told}\n      gatewright ${ours.told}`)
    }
    if (differences.length === 0) continue
    if (++failed > Number(options.show)) continue
    const lines = one.place === 'host' ? one.lines : site.read(`htdocs/e${index}/.htaccess`).trim().split('\n')
    console.log(
      `--- e${index} in a ${one.place}\n    ${lines.join('\n    ')}\n${differences.map((text) => `  * ${text}`).join('\n')}`,
    )
  }
  const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status}`)
  console.log(`seed ${options.seed}: ${counted.join(', ')}`)
  console.log(`${cases.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || cases.length === 0 ? 1 : 0
}

interface Answer {
  readonly status: number
  /** The compared text. */
  readonly told: string
}

function visit(address: string, name: string, path: string): Promise<Answer> {
  const headers = { Host: name, 'X-A': 'b', 'User-Agent': 'oracle' }
  return new Promise((resolve, reject) => {
    const asked = request({ host: address, port, path, headers, agent: false, setHost: false }, (answer) => {
      let body = ''
      answer.setEncoding('latin1').on('data', (text: string) => (body += text))
      answer.on('end', () => {
        const status = answer.statusCode ?? 0
        const fields = ['location', 'vary', 'set-cookie', 'content-type', 'x-v'].map((field) =>
          JSON.stringify(answer.headers[field] ?? null),
        )
        resolve({ status, told: [status, ...fields, status === 200 ? JSON.stringify(body) : ''].join(' ') })
      })
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.setTimeout(20_000, () => asked.destroy(new Error('no answer in 20 s')))
    asked.end()
  })
}
