// npm run oracle:dbd [-- --seed N --count M --visits V --show K --plants]: makes random users and groups in SQLite files, and
// random sections that decide by them, sends the same random logins to Apache httpd and Gatewright, and reports every
// difference in status, Location, user and variables. --plants spoils our database in several ways, each of which must be found.
// Needs apache2 with libaprutil1-dbd-sqlite3, and a built dist/. Ends with a line `N passed, N failed` that counts sections.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { ask } from '../fixtures/ask.ts'
import { freePort } from '../fixtures/free-port.ts'
import { Random } from '../fixtures/random.ts'
import { type Contestant, contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { randomLogin, randomSection, randomWorld, type User, type World } from './random-world.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    visits: { type: 'string', default: '10' },
    show: { type: 'string', default: '20' },
    plants: { type: 'boolean', default: false },
  },
})

/** Ways to spoil our database, by name. */
const PLANTS: Readonly<Record<string, string>> = {
  'a NULL that becomes an empty text': "UPDATE users SET mail = '' WHERE mail IS NULL",
  'groups in another case': 'UPDATE teams SET team = upper(team)',
  'another password': "UPDATE users SET hash = '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ='",
  'a group for everybody': "INSERT INTO teams SELECT name, 'staff' FROM users",
  'no redirects': 'DELETE FROM pages',
}

interface Case {
  readonly lines: readonly string[]
  readonly visits: readonly (User & { readonly referer: string | undefined })[]
}

if (options.plants) {
  let found = 0
  for (const [name, sql] of Object.entries(PLANTS)) {
    const { failed } = await compare(Number(options.seed), sql, 0)
    console.log(`${name}: ${failed > 0 ? 'found' : 'NOT FOUND'}`)
    if (failed > 0) found++
  }
  const count = Object.keys(PLANTS).length
  console.log(`${found} passed, ${count - found} failed`)
  process.exitCode = found === count ? 0 : 1
} else {
  const { passed, failed } = await compare(Number(options.seed), '', Number(options.show))
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}

/** @param plant statements for our database alone */
async function compare(seed: number, plant: string, show: number): Promise<{ readonly passed: number; readonly failed: number }> {
  const random = new Random(seed)
  const site = new Site()
  const world = randomWorld(random)
  const cases = Array.from({ length: Number(options.count) }, (): Case => makeCase(random, world))
  const port = await freePort()
  const running: Running[] = []
  try {
    for (const contestant of contestants(site, world, plant))
      running.push(await start(contestant, site, port, configuration(site, cases)))
    return await visitAll(running, port, cases, show, seed)
  } finally {
    for (const one of running) await one.stop()
    site.remove()
  }
}

function makeCase(random: Random, { users }: World): Case {
  const visits = random.several(Number(options.visits), Number(options.visits), () => ({
    ...randomLogin(random, users),
    referer: random.percent(50) ? `/from/${random.below(9)}` : undefined,
  }))
  return { lines: randomSection(random), visits }
}

/** Each server has a file of its own, because logins change it. */
function contestants(site: Site, { sql }: World, plant: string): readonly Contestant[] {
  const lines = ({ name }: Contestant): string[] => {
    const path = join(site.root, `${name}-data/users.db`)
    site.write(`../${name}-data/.keep`, '')
    const database = new DatabaseSync(path)
    database.exec(name === 'gatewright' ? `${sql}${plant}` : sql)
    database.close()
    chmodSync(join(path, '..'), 0o777)
    chmodSync(path, 0o666)
    return ['DBDriver sqlite3', `DBDParams ${path}`]
  }
  return contestantsWith(['dbd', 'authn_dbd', 'authz_dbd'], lines)
}

function configuration(site: Site, cases: readonly Case[]): string[] {
  const variables = ['MAIL', 'AGE', 'THE_NAME'].map((name) => `%{AUTHENTICATE_${name}}e`).join('|')
  return [
    'LogLevel crit',
    `AliasMatch "^/e\\d+/$" "${site.tree}/page.html"`,
    `Header always set X-V "${variables}"`,
    'Header always set X-User "expr=%{REMOTE_USER}"',
    ...cases.flatMap(({ lines }, index) => [`<Location "/e${index}/">`, ...lines, '</Location>']),
  ]
}

async function visitAll(
  running: readonly Running[],
  port: number,
  cases: readonly Case[],
  show: number,
  seed: number,
): Promise<{ readonly passed: number; readonly failed: number }> {
  let failed = 0
  const statuses = new Map<number, number>()
  for (const [index, { lines, visits }] of cases.entries()) {
    const differences: string[] = []
    for (const one of visits) {
      const [theirs, ours] = await Promise.all(
        running.map(({ contestant }) => visit(contestant.address, port, `/e${index}/`, one)),
      )
      statuses.set(theirs.status, (statuses.get(theirs.status) ?? 0) + 1)
      if (theirs.compared !== ours.compared) {
        differences.push(`${one.name}:${one.password}\n      httpd      ${theirs.compared}\n      gatewright ${ours.compared}`)
      }
    }
    if (differences.length === 0) continue
    if (++failed > show) continue
    console.log(`--- e${index}\n    ${lines.join('\n    ')}\n${differences.map((text) => `  * ${text}`).join('\n')}`)
  }
  const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status}`)
  if (show > 0) console.log(`seed ${seed}: ${counted.join(', ')}`)
  return { passed: cases.length - failed, failed }
}

interface Compared {
  readonly status: number
  readonly compared: string
}

async function visit(
  address: string,
  port: number,
  path: string,
  { name, password, referer }: Case['visits'][number],
): Promise<Compared> {
  const Authorization = `Basic ${Buffer.from(`${name}:${password}`, 'utf8').toString('base64')}`
  const headers = { Host: 'oracle.example', Authorization, ...(referer !== undefined && { Referer: referer }) }
  const answer = await ask({ address, port, path, headers })
  if (answer === null) return { status: 0, compared: 'no answer' }
  const fields = ['location', 'x-user', 'x-v'].map((field) => JSON.stringify(answer.headers[field] ?? null))
  return { status: answer.status, compared: [answer.status, ...fields].join(' ') }
}
