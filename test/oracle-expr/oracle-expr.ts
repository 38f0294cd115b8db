// npm run oracle:expr [-- --seed N --count M --visits V --wrong PERCENT --port P --show K]: writes random expressions,
// each into a .htaccess file, sends the same random requests for each of them to Apache httpd and Gatewright, and reports
// every difference in status, values, Vary and messages. Needs apache2 and a built dist/. Ends with a line
// `N passed, N failed` that counts expressions.
import { Agent } from 'node:http'
import { parseArgs } from 'node:util'
import { freePort } from '../fixtures/free-port.ts'
import { Random } from '../fixtures/random.ts'
import { type Case, randomCase } from './case.ts'
import { GATEWRIGHT, HTTPD, type Running, start } from './contestant.ts'
import { ExpressionGenerator } from './expression-generator.ts'
import { Site } from './site.ts'
import { type Answer, randomVisit, type Visit, visit } from './visit.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    visits: { type: 'string', default: '3' },
    wrong: { type: 'string', default: '4' },
    port: { type: 'string' },
    show: { type: 'string', default: '40' },
  },
})

const seed = Number(options.seed)
const random = new Random(seed)
const site = new Site()
const port = options.port === undefined ? await freePort() : Number(options.port)
const generator = new ExpressionGenerator(random, { wrong: Number(options.wrong), files: 'may' })
const cases = Array.from({ length: Number(options.count) }, () => randomCase(random, generator, site.tree))
for (const [index, one] of cases.entries()) site.folder(`e${index}`, one.htaccess)

const running: Running[] = []
try {
  for (const contestant of [HTTPD, GATEWRIGHT]) running.push(await start(contestant, site, port, []))
  await compare()
} finally {
  for (const one of running) await one.stop()
  site.remove()
}

async function compare(): Promise<void> {
  const agents = running.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  const visits = cases.map((_, index) =>
    random.several(Number(options.visits), Number(options.visits), () => randomVisit(random, `e${index}`)),
  )
  const answers = await Promise.all(
    running.map(async ({ contestant }, side) => {
      const all: (Answer | Error)[][] = []
      for (const list of visits) {
        const some: (Answer | Error)[] = []
        for (const one of list) {
          const ask = (): Promise<Answer> => visit(agents[side], contestant.address, port, one)
          // A server may close a connection that was kept while the next request is on its way.
          some.push(
            await ask()
              .catch(ask)
              .catch((error: Error) => error),
          )
        }
        all.push(some)
      }
      return all
    }),
  )
  for (const agent of agents) agent.destroy()
  const messages = running.map((one) => messagesByFolder(one.errors()))
  let failed = 0
  const statuses = new Map<number, number>()
  cases.forEach((one, index) => {
    const differences: string[] = []
    let aborted = false
    visits[index].forEach((request, number) => {
      const [theirs, ours] = answers.map((side) => side[index][number])
      if (theirs instanceof Error || ours instanceof Error) {
        // A scanner that aborts the process is not an example.
        if (ours instanceof Error || ours.status !== 500)
          differences.push(`${describe(request)}: httpd ${told(theirs)}, gatewright ${told(ours)}`)
        else aborted = true
        return
      }
      statuses.set(theirs.status, (statuses.get(theirs.status) ?? 0) + 1)
      const fields = differingFields(theirs, ours)
      if (fields.length > 0) differences.push(`${describe(request)}: ${fields.join('; ')}`)
    })
    const [theirs, ours] = messages.map((side) => side.get(`e${index}`) ?? [])
    if (!aborted && !agree(theirs, ours))
      differences.push(`log: httpd ${JSON.stringify(theirs)}, gatewright ${JSON.stringify(ours)}`)
    if (differences.length === 0) return
    if (++failed <= Number(options.show)) report(one, index, differences)
  })
  console.log(
    `seed ${seed}: ${[...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${times} x ${status}`)
      .join(', ')}`,
  )
  console.log(`${cases.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || cases.length === 0 ? 1 : 0
}

/** Our additional text about a pattern or a network follows httpd's message. */
function agree(theirs: readonly string[], ours: readonly string[]): boolean {
  return (
    theirs.length === ours.length && theirs.every((text, index) => ours[index] === text || ours[index].startsWith(`${text}: `))
  )
}

function report(one: Case, index: number, differences: readonly string[]): void {
  console.log(`--- e${index} ${one.place}: ${JSON.stringify(one.source)}`)
  for (const text of differences) console.log(`    ${text}`)
}

function told(answer: Answer | Error): string {
  return answer instanceof Error ? answer.message : String(answer.status)
}

function describe({ method, path, headers }: Visit): string {
  return `${method} ${path} ${JSON.stringify(headers)}`
}

function differingFields(theirs: Answer, ours: Answer): string[] {
  const found: string[] = []
  if (theirs.status !== ours.status) found.push(`status: httpd ${theirs.status}, gatewright ${ours.status}`)
  for (const name of ['x-v', 'x-else', 'vary', 'www-authenticate']) {
    const [a, b] = [theirs, ours].map(({ headers }) => JSON.stringify(headers[name] ?? null))
    if (a !== b) found.push(`${name}: httpd ${a}, gatewright ${b}`)
  }
  return found
}

/**
 * The log messages about each folder, without time, process and client. Messages of expressions do not name a file: only
 * their order assigns them, so they are not compared.
 */
function messagesByFolder(lines: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const line of lines) {
    const match = /(?:\/htdocs\/|127\.0\.0\.[12]:\d+\] .*\/)(e\d+)\/\.htaccess(?::| )/.exec(line)
    if (match === null) continue
    const text = line
      .replace(/^(?:\[[^\]]*\] )+/, '')
      .replace(/, referer: .*/, '')
      .replaceAll(/\/tmp\/oracle-expr-\w+/g, '')
    const list = found.get(match[1]) ?? []
    if (!list.includes(text)) list.push(text)
    found.set(match[1], list)
  }
  return found
}
