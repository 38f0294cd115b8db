import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../fixtures/free-port.ts'
import { buildPlanted, type PlantedBug } from '../fixtures/planted-module.ts'
import { MODULES, type Owner } from '../fixtures/staged-server.ts'
import type { Mix } from '../load/habits.ts'
import { SMALL } from '../load/resource.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'
import type { LoadReport } from '../load/tally.ts'
import { TlsHosts } from '../load/tls-hosts.ts'
import { TLS_VARIANTS, TlsVisitors } from '../load/tls-visitors.ts'
import { attack, type Target } from './attacker.ts'
import { capturedHellos } from './hellos.ts'
import { attackOf } from './random-attack.ts'

const WORKERS = 2
/** Clients that behave, a new connection for each request or one for many. */
const OTHERS: Mix = { closing: TLS_VARIANTS.length, busy: 3, pausing: 8, pipelining: 2, waiting: 2, downloading: 2, uploading: 2 }
/** Attacks at a time. */
const AT_ONCE = 24
/** What a worker may need more at the end (MiB): young heaps grow to their size. */
const MEMORY = 192
/** The memory is that of a worker which has had so many attacks. */
const WARM = 100
/** All limits of the server have passed after this time (ms). */
const AFTERWARDS = 60_000
/** Seconds that a client has for its handshake. */
const LIMIT = 20
/** Lines of the error log that report a bug. */
const BUGS = /TypeError|RangeError|ReferenceError|ERR_[A-Z_]+|uncaught|unhandled|exit signal|AH00052|child pid/
/** States of connections in /proc/net/tcp that nobody has to close any more. */
const LISTENING = '0A'
const TIME_WAIT = '06'

export interface CampaignOptions {
  readonly seed: number
  readonly first: number
  readonly attacks: number
  /** It ends after so many findings. */
  readonly findings: number
  /** Planted into the module. */
  readonly plant?: PlantedBug
  /** Called after each attack. @param memory what the workers need, MiB */
  readonly onProgress?: (done: number, findings: number, memory: () => readonly number[]) => void
}

export interface Campaign {
  readonly attacks: number
  /** What was wrong, each in one line. */
  readonly findings: readonly string[]
  readonly others: LoadReport
  /** MiB that the worker needs more which has grown most. */
  readonly growth: number
}

/** Attacks a running server, while other clients are served. */
export async function campaign(owner: Owner, options: CampaignOptions): Promise<Campaign> {
  const plainPort = await freePort()
  const parts: { hosts?: TlsHosts; visitors?: TlsVisitors } = {}
  const site = await ServerUnderLoad.start(owner, {
    workers: WORKERS,
    mix: OTHERS,
    lines: [
      ...TlsHosts.lines(options.plant === undefined ? undefined : 'modules/mod_ssl.mjs'),
      `LoadModule reqtimeout_module ${join(MODULES, 'mod_reqtimeout.so')}`,
      `RequestReadTimeout handshake=${LIMIT} header=0 body=0`,
      `Listen 127.0.0.1:${plainPort}`,
      'LogLevel info',
    ],
    async prepare(server) {
      const hosts = new TlsHosts(server)
      hosts.renew('Certificate', 'ec')
      hosts.configure({ verifyClient: 'require', verifyDepth: 1, trustsOthers: false })
      parts.hosts = hosts
      parts.visitors = await TlsVisitors.make(owner, server.port, hosts, () => 0)
      if (options.plant !== undefined) await buildPlanted(options.plant, server.path('modules/mod_ssl.mjs'))
    },
    approaches: () => (client) => {
      if (parts.visitors === undefined) throw new Error('the visitors were not made')
      return parts.visitors.approach(client)
    },
  })
  const { server, load } = site
  const hellos = await capturedHellos(server.port)
  const target: Target = {
    tlsPort: server.port,
    plainPort,
    certificate: hostsOf(parts).client('member'),
    secret: SMALL.body.toString('latin1', 0, 32),
  }
  const workers = site.workers()
  const findings: string[] = []
  let memory: readonly number[] | null = null
  let begun = 0
  let done = 0
  const work = async (): Promise<void> => {
    while (begun < options.attacks && findings.length < options.findings) {
      const index = options.first + begun++
      const attacked = attackOf(options.seed, index, hellos)
      const wrong = await attack(attacked, target)
      done++
      if (wrong !== null) findings.push(`attack ${index}, ${attacked.what}: the server ${wrong}`)
      if (site.workers().join() !== workers.join()) {
        findings.push(`attack ${index}, ${attacked.what}, or one at the same time: a worker has ended`)
      }
      if (memory === null && done >= Math.min(WARM, options.attacks / 2)) memory = workers.map(residentMemory)
      options.onProgress?.(done, findings.length, () => workers.map(residentMemory))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const isAlive = site.workers().join() === workers.join()
  if (isAlive) await load.answers(50)
  const others = await load.stop()
  const { failures } = load
  if (others.failed > 0) findings.push(`${others.failed} requests of others failed: ${JSON.stringify(failures.slice(0, 3))}`)
  let growth = 0
  if (isAlive) {
    const former = memory
    growth = former === null ? 0 : Math.max(...workers.map((worker, index) => residentMemory(worker) - former[index]))
    if (growth > MEMORY) findings.push(`a worker needs ${growth} MiB more than before`)
    const left = await connectionsLeft(workers, [server.port, plainPort])
    if (left > 0) findings.push(`${left} connections are still open`)
  }
  const bugs = site.linesOf('error_log').filter((line) => BUGS.test(line))
  if (bugs.length > 0) findings.push(`the error log has ${bugs.length} lines such as ${bugs[0]}`)
  const ended = await server.stop()
  if (ended?.status !== 0) findings.push(`the server ended with status ${ended?.status}`)
  return { attacks: done, findings, others, growth }
}

function hostsOf({ hosts }: { readonly hosts?: TlsHosts }): TlsHosts {
  if (hosts === undefined) throw new Error('the hosts were not made')
  return hosts
}

/** MiB. */
function residentMemory(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return Math.round(Number(kib) / 1024)
}

/** How many connections to these ports processes still have when all limits have passed. */
async function connectionsLeft(pids: readonly number[], ports: readonly number[]): Promise<number> {
  const end = performance.now() + AFTERWARDS
  for (;;) {
    const left = pids.reduce((sum, pid) => sum + connectionsOf(pid, ports), 0)
    if (left === 0 || performance.now() > end) return left
    await pause(100)
  }
}

function connectionsOf(pid: number, ports: readonly number[]): number {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)))
  const lines = readFileSync(`/proc/${pid}/net/tcp`, 'latin1').split('\n').slice(1)
  return lines.filter((line) => {
    const [, local = '', , state = '', , , , , , inode = ''] = line.trim().split(/\s+/)
    const port = Number.parseInt(local.split(':')[1] ?? '', 16)
    return ports.includes(port) && state !== LISTENING && state !== TIME_WAIT && sockets.has(`socket:[${inode}]`)
  }).length
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
