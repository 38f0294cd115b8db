// npm run oracle:dav [-- --seed N --count M --length L --show K] [--plants]: sends the same random sequences of WebDAV requests to
// Apache httpd and Gatewright, each with files of its own, and reports every difference in answers and in the files that are
// left. With --plants, Gatewright is configured wrongly in several ways, and each must be found. Needs apache2 and a built
// dist/. Ends with a line `N passed, N failed`.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../fixtures/free-port.ts'
import { Random } from '../fixtures/random.ts'
import { contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { describedAnswer } from './described-answer.ts'
import { type DavRequest, DavRequestGenerator } from './request-generator.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    length: { type: 'string', default: '25' },
    show: { type: 'string', default: '10' },
    plants: { type: 'boolean', default: false },
  },
})

/** In the place of a token that a server has not given. */
const NO_TOKEN = 'opaquelocktoken:00000000-0000-0000-0000-000000000000'

const CONTESTANTS = contestantsWith(['dav', 'dav_fs'])

/** Mistakes in the configuration of Gatewright: each changes an answer of some sequence. */
const PLANTS: Readonly<Record<string, readonly string[]>> = {
  'no PROPFIND of folders in folders': ['<Location /dav>', 'DavDepthInfinity Off', '</Location>'],
  'locks are hidden': ['<Location /dav>', 'DavLockDiscovery Off', '</Location>'],
  'no COPY': ['<Location /dav>', '<Limit COPY>', 'Require all denied', '</Limit>', '</Location>'],
  'folders are closed': ['<LocationMatch ^/dav/\\d+/other>', 'Require all denied', '</LocationMatch>'],
}

if (options.plants) process.exitCode = await findPlants()
else process.exitCode = (await compare([], Number(options.show))) > 0 ? 1 : 0

async function findPlants(): Promise<number> {
  let missed = 0
  for (const [name, lines] of Object.entries(PLANTS)) {
    const failed = await compare(lines, 0)
    console.log(`${failed > 0 ? 'found' : 'MISSED'}: ${name}`)
    if (failed === 0) missed++
  }
  console.log(`${Object.keys(PLANTS).length - missed} passed, ${missed} failed`)
  return missed > 0 ? 1 : 0
}

/** Returns the number of sequences that differ. */
async function compare(planted: readonly string[], show: number): Promise<number> {
  const site = new Site()
  const port = await freePort()
  const random = new Random(Number(options.seed))
  const running: Running[] = []
  let failed = 0
  const statuses = new Map<number, number>()
  try {
    for (const contestant of CONTESTANTS) {
      const folder = join(site.root, `${contestant.name}-files`)
      mkdirSync(folder)
      const locks = join(site.root, `${contestant.name}-locks`)
      mkdirSync(locks)
      chmodSync(locks, 0o777)
      running.push(
        await start(contestant, site, port, configuration(folder, locks, contestant.name === 'gatewright' ? planted : [])),
      )
    }
    const count = Number(options.count)
    for (let index = 0; index < count; index++) {
      const requests = new DavRequestGenerator(random, `oracle.example:${port}`, `/dav/${index}/`).sequence(
        Number(options.length),
      )
      for (const { contestant } of running) fillFolder(join(site.root, `${contestant.name}-files`, String(index)))
      const difference = await runSequence(
        running,
        port,
        (name) => join(site.root, `${name}-files`, String(index)),
        requests,
        statuses,
      )
      if (difference === null) continue
      if (++failed <= show) console.log(`--- sequence ${index}\n${difference}`)
    }
    if (!options.plants) {
      const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status}`)
      console.log(`seed ${options.seed}: ${counted.join(', ')}`)
      console.log(`${count - failed} passed, ${failed} failed`)
    }
    return failed
  } finally {
    for (const one of running) await one.stop()
    site.remove()
  }
}

function configuration(folder: string, locks: string, planted: readonly string[]): string[] {
  return [
    'LogLevel crit',
    `DavLockDB ${locks}/db`,
    `Alias /dav/ ${folder}/`,
    '<Location /dav>',
    'Dav On',
    'DavDepthInfinity On',
    '</Location>',
    ...planted,
  ]
}

function fillFolder(folder: string): void {
  mkdirSync(join(folder, 'sub'), { recursive: true })
  writeFileSync(join(folder, 'a'), 'a')
  writeFileSync(join(folder, 'sub/a'), 'a in sub')
  for (const name of ['', 'sub']) chmodSync(join(folder, name), 0o777)
  for (const name of ['a', 'sub/a']) chmodSync(join(folder, name), 0o666)
}

/** The first difference; null if there is none. */
async function runSequence(
  running: readonly Running[],
  port: number,
  folderOf: (name: string) => string,
  requests: readonly DavRequest[],
  statuses: Map<number, number>,
): Promise<string | null> {
  const tokens = running.map((): { readonly path: string; readonly token: string }[] => [])
  const told: string[] = []
  let difference: string | null = null
  for (const one of requests) {
    const answers = await Promise.all(running.map(({ contestant }, index) => visit(contestant.address, port, one, tokens[index])))
    statuses.set(answers[0].status, (statuses.get(answers[0].status) ?? 0) + 1)
    const fields = Object.entries(one.headers).map(([name, value]) => ` ${name}: ${value}`)
    told.push(`    ${one.method} ${one.path}${fields.join('')} -> ${answers[0].status}`)
    const trees = running.map(({ contestant }) => tree(folderOf(contestant.name)).join(' '))
    const [theirs, ours] = answers.map(({ described }, index) => `${described}\n        ${trees[index]}`)
    if (theirs === ours) continue
    difference = `${told.join('\n')}\n    ${one.body}\n      httpd      ${theirs}\n      gatewright ${ours}`
    break
  }
  return difference
}

/** Files with their content, and folders. */
function tree(folder: string, inside = ''): string[] {
  return readdirSync(join(folder, inside))
    .filter((name) => name !== '.DAV')
    .sort()
    .flatMap((name) => {
      const path = inside === '' ? name : `${inside}/${name}`
      if (statSync(join(folder, path)).isDirectory()) return [`${path}/`, ...tree(folder, path)]
      return [`${path}=${JSON.stringify(readFileSync(join(folder, path), 'latin1'))}`]
    })
}

interface Answer {
  readonly status: number
  readonly described: string
}

function visit(
  address: string,
  port: number,
  { method, path, headers, body }: DavRequest,
  tokens: { readonly path: string; readonly token: string }[],
): Promise<Answer> {
  const filled = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace(/@TOKEN (\d+)@/g, (_, index: string) => tokens[Number(index)]?.token ?? NO_TOKEN),
  ])
  const sent = { ...Object.fromEntries(filled), Host: `oracle.example:${port}`, 'Content-Length': String(body.length) }
  return new Promise((resolve, reject) => {
    const asked = request({ host: address, port, path, method, headers: sent, agent: false, setHost: false }, (answer) => {
      let text = ''
      answer.setEncoding('latin1').on('data', (part: string) => (text += part))
      answer.on('error', reject)
      answer.on('end', () => {
        const status = answer.statusCode ?? 0
        const token = /^<(.*)>$/.exec(String(answer.headers['lock-token'] ?? ''))?.[1]
        if (token !== undefined) tokens.push({ path, token })
        resolve({ status, described: describedAnswer(status, answer.headers, text) })
      })
    })
    asked.on('error', reject)
    asked.setTimeout(20_000, () => asked.destroy(new Error('no answer in 20 s')))
    asked.end(body)
  })
}
