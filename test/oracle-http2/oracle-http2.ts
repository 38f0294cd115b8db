// npm run oracle:http2 [-- --seed N --count M --rounds R --show K --plants]: connections of HTTP/2 to servers with random virtual
// hosts over TLS, whose requests name other hosts than the handshake, and have bodies that limits and time limits of these
// hosts refuse; statuses, lengths, resets and what is logged are compared with Apache httpd's. --plants changes our configuration in
// several ways, each of which must be found. Needs apache2, and a built dist/. Ends with a line `N passed, N failed` that counts
// connections.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../fixtures/free-port.ts'
import { LOG_BY_REQUEST, loggedByRequest } from '../fixtures/logged-by-request.ts'
import { type Change, type Counts, compareRounds, findPlants, type OracleRounds } from '../fixtures/oracle-rounds.ts'
import { Random } from '../fixtures/random.ts'
import { contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { type Asked, randomWorld, type World } from './random-world.ts'
import { LIMITS_TIME, visit } from './visit.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '80' },
    rounds: { type: 'string', default: '3' },
    show: { type: 'string', default: '10' },
    plants: { type: 'boolean', default: false },
  },
})

/** Answers with the length of the body. */
const PROGRAM = '#!/bin/sh\nlength=$(wc -c)\nprintf "Content-Type: text/plain\\n\\n%s" "$length"\n'

const TLS = join(import.meta.dirname, '../conformance/fixtures/tls')

/** Changes of our configuration alone, by name: each changes an answer. */
const PLANTS: Readonly<Record<string, Change>> = {
  'hosts may share every connection': (line) => (line.startsWith('SSLVHostSNIPolicy') ? 'SSLVHostSNIPolicy insecure' : line),
  'hosts never share a connection': (line) => (line.startsWith('SSLVHostSNIPolicy') ? 'SSLVHostSNIPolicy strict' : line),
  'bodies may have any length': (line) => line.replace(/^LimitRequestBody .*/, ''),
  'every host speaks HTTP/2': (line) => (line.startsWith('ServerName') ? `${line}\nProtocols h2 http/1.1` : line),
  'bodies may take any time': (line) => line.replace('RequestReadTimeout body=1', ''),
  'aliases are unknown': (line) => line.replace(/^ServerAlias .*/, ''),
}

const rounds: OracleRounds = {
  seed: Number(options.seed),
  rounds: Number(options.rounds),
  show: Number(options.show),
  plants: PLANTS,
  compare,
}
await (options.plants ? findPlants(rounds) : compareRounds(rounds))

/** @param change of our configuration */
async function compare(seed: number, change: Change, show: number): Promise<Counts> {
  const world = randomWorld(new Random(seed), Number(options.count))
  const site = new Site()
  const running: Running[] = []
  try {
    site.write('f.txt', 'text\n')
    site.write('no/f.txt', 'text\n')
    site.write('cgi/length', PROGRAM)
    chmodSync(join(site.tree, 'cgi/length'), 0o755)
    const port = await freePort()
    for (const contestant of contestantsWith(['ssl', 'http2', 'cgi', 'reqtimeout', 'headers'])) {
      const lines = world.lines.map((line) => line.replaceAll('@PORT@', String(port)).replaceAll('@TLS@', TLS))
      const own = contestant.name === 'gatewright' ? lines.map(change) : lines
      running.push(await start(contestant, site, port, [...common(), ...own]))
    }
    const answers = new Map<string, readonly string[][]>()
    for (const [index, one] of world.visits.entries()) {
      const id = String(index)
      answers.set(id, await Promise.all(running.map(({ contestant: { address } }) => visit(address, port, one, id))))
    }
    for (const one of running) await one.stop()
    return report(running, world, answers, show, seed)
  } finally {
    for (const one of running) await one.stop()
    site.remove()
  }
}

function common(): string[] {
  return [LOG_BY_REQUEST, 'LogLevel warn authz_core:info', 'Protocols h2 http/1.1', 'SSLSessionCache none']
}

function report(
  running: readonly Running[],
  { lines, visits }: World,
  answers: ReadonlyMap<string, readonly string[][]>,
  show: number,
  seed: number,
): Counts {
  const logs = running.map((one) => loggedByRequest(one.errors()))
  let failed = 0
  for (const [index, { serverName, asked }] of visits.entries()) {
    const [theirs = [], ours = []] = answers.get(String(index)) ?? []
    const rows = asked.flatMap((one, at) => {
      const [theirLog, ourLog] = logs.map((log) => codesOf(log.get(`${index}.${at}`) ?? []))
      const [their, our] = [`${theirs[at] ?? ''} ${theirLog}`, `${ours[at] ?? ''} ${ourLog}`]
      const expected = isTimedHere(one, their) ? our.startsWith('408') : their === our
      return expected ? [] : [`  ${JSON.stringify(one)}\n    httpd      ${their}\n    gatewright ${our}`]
    })
    if (rows.length === 0) continue
    if (failed === 0 && show > 0) console.log(lines.join('\n'))
    if (++failed <= show) console.log(`seed ${seed}, connection ${index} to ${serverName}\n${rows.join('\n')}`)
  }
  return { passed: visits.length - failed, failed }
}

/**
 * A stated difference: httpd limits the time of no body of HTTP/2.
 * @param their httpd's answer, which has waited for the whole body if the program answers
 */
function isTimedHere({ stalls, path }: Asked, their: string): boolean {
  return stalls && path === '/cgi/length' && their.startsWith(`200${LIMITS_TIME}`)
}

/** The codes alone: lines name addresses and paths of each server. */
function codesOf(lines: readonly string[]): string {
  return lines.map((line) => /AH\d{5}/.exec(line)?.[0] ?? line).join(' ')
}
