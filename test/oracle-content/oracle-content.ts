// npm run oracle:content [-- --seed N --count M --topic NAME --show K] [--plants]: random virtual hosts with the directives of
// the modules that find, describe and send files (aliases, types, languages, listings, fields, ranges, error documents, caches)
// in Apache httpd and Gatewright, and sequences of requests. Reports every difference in status, fields, body and log. With --plants,
// Gatewright does not have one of the lines of each host, and at least a quarter of these must be found.
// Needs apache2 and a built dist/. Ends with a line `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../fixtures/free-port.ts'
import { LOG_BY_REQUEST, loggedByRequest } from '../fixtures/logged-by-request.ts'
import { Random } from '../fixtures/random.ts'
import { contestantsWith, HTTPD, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import type { ContentCase } from './content-case.ts'
import { differences, differentLines } from './differences.ts'
import { exchange, type Remembered } from './exchange.ts'
import { TOPICS } from './topics/index.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    topic: { type: 'string', default: '' },
    show: { type: 'string', default: '15' },
    plants: { type: 'boolean', default: false },
  },
})

const MODULES = [
  'actions',
  'allowmethods',
  'asis',
  'autoindex',
  'cache',
  'cache_socache',
  'cgid',
  'deflate',
  'expires',
  'filter',
  'imagemap',
  'include',
  'negotiation',
  'remoteip',
  'rewrite',
  'socache_shmcb',
  'speling',
  'status',
  'userdir',
  'usertrack',
  'vhost_alias',
] as const

interface Numbered {
  readonly topic: string
  readonly name: string
  readonly content: ContentCase
  /** Lines of the virtual host, or none if httpd refuses them. */
  server: readonly string[]
}

const site = new Site()
const port = await freePort()
const cases = generate()
const contestants = contestantsWith(MODULES)
const running: Running[] = []
try {
  removeRefused()
  for (const contestant of contestants)
    running.push(await start(contestant, site, port, configuration(options.plants && contestant.name === 'gatewright')))
  await compare()
} finally {
  for (const one of running) await one.stop()
  site.remove()
}

function generate(): Numbered[] {
  const random = new Random(Number(options.seed))
  const names = Object.keys(TOPICS).filter((name) => options.topic === '' || options.topic === name)
  return Array.from({ length: Number(options.count) }, (_, index) => {
    const topic = random.pick(names)
    const name = `c${index}`
    const folder = join(site.tree, name)
    const content = TOPICS[topic]?.(random, folder)
    if (content === undefined) throw new Error(`there is no topic ${topic}`)
    mkdirSync(folder, { recursive: true })
    // Executable pages of XBitHack, and times that do not depend on the run.
    for (const [path, text] of Object.entries(content.files)) {
      if (path.endsWith('/')) {
        mkdirSync(join(folder, path), { recursive: true })
        continue
      }
      site.write(`${name}/${path}`, text)
      if (path.endsWith('.cgi') || random.percent(50)) chmodSync(join(folder, path), 0o755)
      utimesSync(join(folder, path), 1_700_000_000, 1_700_000_000 + random.below(1000))
    }
    return { topic, name, content, server: content.server }
  })
}

/** Removes the lines of hosts that httpd refuses at its start, of which one would stop all. */
function removeRefused(): void {
  // -t wants the folder of the standard error log.
  mkdirSync(join(site.root, 'logs'))
  for (;;) {
    const lines = [...linesOfHttpd(), ...configuration()]
    const file = join(site.root, 'check.conf')
    writeFileSync(file, `${lines.join('\n')}\n`, 'latin1')
    const { status, stderr } = spawnSync('apache2', ['-t', '-f', file], { encoding: 'latin1' })
    if (status === 0) return
    const line = Number(/on line (\d+) of/.exec(stderr)?.[1] ?? 0)
    const before = lines.slice(0, line).join('\n')
    const name = [...before.matchAll(/^ServerName (c\d+)$/gm)].at(-1)?.[1]
    const refused = cases.find((one) => one.name === name)
    if (refused === undefined || refused.server.length === 0) throw new Error(stderr)
    refused.server = []
  }
}

function linesOfHttpd(): string[] {
  const { lines } = contestants.find(({ name }) => name === HTTPD.name) ?? HTTPD
  return [`ServerRoot ${site.root}`, 'ServerName oracle.example', `Listen 127.0.0.1:${port}`, ...lines, 'TypesConfig /dev/null']
}

function configuration(planted = false): string[] {
  return [
    'LogLevel info',
    LOG_BY_REQUEST,
    'Options FollowSymLinks',
    ...cases.flatMap(({ name, server }) => [
      `<VirtualHost *:${port}>`,
      `ServerName ${name}`,
      `DocumentRoot ${join(site.tree, name)}`,
      ...(planted ? withoutOne(server) : server).flatMap((line) => line.split('\n')),
      '</VirtualHost>',
    ]),
  ]
}

/** Without the last line that is not the end or beginning of a section. */
function withoutOne(lines: readonly string[]): readonly string[] {
  const at = lines.findLastIndex((line) => !line.includes('<'))
  return at < 0 ? lines : lines.toSpliced(at, 1)
}

async function compare(): Promise<void> {
  const [httpd, gatewright] = running
  if (httpd === undefined || gatewright === undefined) throw new Error('two servers are compared')
  const found = new Map<Numbered, string[][]>()
  for (const one of cases) {
    const remembered: readonly [Remembered, Remembered] = [{}, {}]
    const all: string[][] = []
    for (const [index, request] of one.content.requests.entries()) {
      const visit = ({ contestant: { address } }: Running, memory: Remembered): ReturnType<typeof exchange> =>
        exchange({ address, port, host: one.name }, idOf(one, index), request, memory)
      const [theirs, ours] = await Promise.all([visit(httpd, remembered[0]), visit(gatewright, remembered[1])])
      all.push(differences(theirs, ours, one.topic === 'scripts'))
    }
    found.set(one, all)
  }
  // Lines of the last requests may still be on their way.
  await pause(500)
  const [theirLines, ourLines] = [loggedByRequest(httpd.errors()), loggedByRequest(gatewright.errors())]
  const failedBy = new Map<string, number>()
  let failed = 0
  for (const [one, all] of found) {
    for (const [index, list] of all.entries()) {
      const id = idOf(one, index)
      list.push(...differentLines(theirLines.get(id) ?? [], ourLines.get(id) ?? []))
    }
    if (all.every((list) => list.length === 0)) continue
    failedBy.set(one.topic, (failedBy.get(one.topic) ?? 0) + 1)
    if (++failed <= Number(options.show) && !options.plants) report(one, all)
  }
  if (options.plants) {
    const planted = cases.filter(({ server }) => withoutOne(server) !== server).length
    console.log(`${failed} of ${planted} missing lines were found`)
    const isFound = failed > planted / 4
    console.log(isFound ? '1 passed, 0 failed' : '0 passed, 1 failed')
    process.exitCode = isFound ? 0 : 1
    return
  }
  for (const [topic, count] of failedBy)
    console.log(`${topic}: ${count} of ${cases.filter((one) => one.topic === topic).length} differ`)
  console.log(`${cases.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

/** By which the lines about a request are found in the logs. */
function idOf({ name }: Numbered, index: number): string {
  return `${name}.${index}`
}

function report({ name, topic, server, content }: Numbered, all: readonly (readonly string[])[]): void {
  console.log(`--- ${name} (${topic})`)
  for (const line of server) console.log(`    ${line.replaceAll('\n', '\n    ')}`)
  for (const [path, text] of Object.entries(content.files)) {
    console.log(
      `    ${path}: ${JSON.stringify(/htaccess|asis|cgi|\.map|\.var|shtml|plain/.test(path) ? text.replace(/b{99,}/, 'bbb…') : text.slice(0, 30))}`,
    )
  }
  for (const [index, list] of all.entries()) {
    const request = content.requests[index]
    if (list.length === 0 || request === undefined) continue
    console.log(`  ${index}: ${request.method ?? 'GET'} ${request.target} ${JSON.stringify(request.headers ?? {})}`)
    for (const line of list) console.log(`      ${line}`)
  }
}
