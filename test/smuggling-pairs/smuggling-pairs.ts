// npm run smuggling [-- OPTIONS]: Apache httpd, nginx and this server before each other. Sends every request of the
// corpus in test/smuggling through each of the nine pairs, and has a backend answer each of the three with malformed
// responses. Reports which server forwards, rejects, or lets a request or a response pass that it did not see.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../fixtures/free-port.ts'
import { CHUNKS } from '../smuggling/chunks.ts'
import { HEADS } from '../smuggling/heads.ts'
import { LENGTHS } from '../smuggling/lengths.ts'
import { GATEWRIGHT, HTTPD, type Kind, NGINX, ProxyServer } from './proxy-server.ts'
import { fateOfRequest } from './requests.ts'
import { RESPONSE_SHAPES } from './response-shapes.ts'
import { fateOfResponse, LyingBackend } from './responses.ts'

const USAGE = `npm run smuggling [-- OPTIONS]: ambiguous requests and responses between httpd, nginx and this server

  --fronts NAMES   only these fronts, separated by commas: httpd, nginx, gatewright
  --backs NAMES    only these backs
  --json           the result as JSON
  --help           this text

The exit status is 1 if this server, as front or as back, took part in a request or response that was read in two ways.`

const KINDS: readonly Kind[] = [HTTPD, NGINX, GATEWRIGHT]
const REQUESTS = [...LENGTHS, ...CHUNKS, ...HEADS]

interface Row {
  readonly front: string
  readonly back: string
  /** How many shapes had each fate. */
  readonly counts: Readonly<Record<string, number>>
  /** The names of those that were smuggled, mixed or split. */
  readonly bad: readonly string[]
}

const { values } = parseArgs({
  options: {
    fronts: { type: 'string' },
    backs: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(USAGE)
else process.exitCode = await run()

async function run(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'smuggling-'))
  chmodSync(folder, 0o755)
  const rows: Row[] = []
  try {
    for (const front of chosen(values.fronts)) {
      for (const back of chosen(values.backs)) rows.push(shown(await requestsThrough(front, back, folder)))
      rows.push(shown(await responsesThrough(front, folder)))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (values.json) console.log(JSON.stringify(rows, null, 2))
  const ours = rows.filter(({ front, back, bad }) => bad.length > 0 && (front === GATEWRIGHT.name || back === GATEWRIGHT.name))
  const checked = rows.filter(({ front, back }) => front === GATEWRIGHT.name || back === GATEWRIGHT.name)
  console.error(`${checked.length - ours.length} passed, ${ours.length} failed`)
  return ours.length > 0 ? 1 : 0
}

function chosen(names: string | undefined): readonly Kind[] {
  if (names === undefined) return KINDS
  return names.split(',').map((name) => {
    const kind = KINDS.find((one) => one.name === name)
    if (kind === undefined) throw new Error(`'${name}' is unknown; known are ${KINDS.map((one) => one.name).join(', ')}`)
    return kind
  })
}

async function requestsThrough(frontKind: Kind, backKind: Kind, folder: string): Promise<Row> {
  const back = await ProxyServer.start(backKind, folder, await freePort())
  const front = await ProxyServer.start(frontKind, folder, await freePort(), back.port)
  const fates: [string, string][] = []
  try {
    for (const [number, shape] of REQUESTS.entries()) fates.push([shape.name, await fateOfRequest(front, back, shape, number)])
  } finally {
    await Promise.all([front.stop(), back.stop()])
  }
  return rowOf(frontKind.name, backKind.name, fates)
}

async function responsesThrough(frontKind: Kind, folder: string): Promise<Row> {
  const port = await freePort()
  const backend = await LyingBackend.start(port)
  const front = await ProxyServer.start(frontKind, folder, await freePort(), port)
  const fates: [string, string][] = []
  try {
    for (const [number, shape] of RESPONSE_SHAPES.entries()) fates.push([shape.name, await fateOfResponse(front, number)])
  } finally {
    await front.stop()
    backend.stop()
  }
  return rowOf(frontKind.name, 'malformed responses', fates)
}

function rowOf(front: string, back: string, fates: readonly (readonly [string, string])[]): Row {
  const counts: Record<string, number> = {}
  for (const [, fate] of fates) counts[fate] = (counts[fate] ?? 0) + 1
  const bad = fates.filter(([, fate]) => ['smuggled', 'mixed', 'split'].includes(fate)).map(([name, fate]) => `${fate}: ${name}`)
  return { front, back, counts, bad }
}

function shown(row: Row): Row {
  if (values.json) return row
  const counts = Object.entries(row.counts).map(([fate, count]) => `${fate} ${count}`)
  console.log(`${row.front.padEnd(11)}-> ${row.back.padEnd(20)} ${counts.join(', ')}`)
  for (const line of row.bad) console.log(`    ${line}`)
  return row
}
