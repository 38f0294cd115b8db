import type { SectionInfo, Server } from '@gatewright/api'
import { type Balancer, balancerOf } from './balancer.ts'
import { hostInUrl, splitProxyUrl } from './proxy-url.ts'
import { Worker, type WorkerParts } from './worker.ts'

/** The workers and balancers that the lines of one server define. */
export class ServerWorkers {
  readonly workers: Worker[] = []
  readonly balancers: Balancer[] = []

  /**
   * The worker that a line for this URL shares: the longest one whose URL its own begins with.
   * @param kind what lines of mappings share a worker with; without it, any line
   */
  find(url: string, socketPath: string | null, kind?: 'prefix' | 'pattern'): Worker | null {
    const ofKind =
      kind === undefined ? this.workers : this.workers.filter((worker) => worker.isOfPattern === (kind === 'pattern'))
    return findWorker(ofKind, url, socketPath)
  }

  define(parts: WorkerParts, section: SectionInfo, kind: 'prefix' | 'pattern'): Worker {
    const worker = new Worker(parts, section, kind)
    this.workers.push(worker)
    return worker
  }

  balancer(url: string): Balancer | null {
    const name = balancerOf(url)
    return this.balancers.find((one) => one.name === name) ?? null
  }
}

/**
 * The longest worker that a URL begins with; a worker without a path has that of its host alone. Of equal ones the first
 * counts.
 */
export function findWorker(workers: readonly Worker[], url: string, socketPath: string | null = null): Worker | null {
  return longestOf(workers, comparable(url), socketPath, null)
}

/** The same for the workers of several servers. */
export function findAmongServers(servers: readonly ServerWorkers[], url: string, socketPath: string | null): Worker | null {
  const wanted = comparable(url)
  let best: Worker | null = null
  for (const { workers } of servers) best = longestOf(workers, wanted, socketPath, best)
  return best
}

/** @param bestBefore the longest of other workers */
function longestOf(
  workers: readonly Worker[],
  wanted: string,
  socketPath: string | null,
  bestBefore: Worker | null,
): Worker | null {
  let best = bestBefore
  const leastLength = lengthToPath(wanted)
  for (const worker of workers) {
    if (socketPath !== null && worker.socketPath !== socketPath) continue
    const { name } = worker
    if ((best !== null && name.length <= best.name.length) || name.length === 0 || name.length > wanted.length) continue
    // `http://127.0.0.1:80` is not the worker of port 8080.
    const matches = worker.pattern === null ? name.length >= leastLength && wanted.startsWith(name) : worker.pattern.test(wanted)
    if (matches) best = worker
  }
  return best
}

/** The length of a URL up to the slash after its host and port. */
function lengthToPath(url: string): number {
  const slash = url.indexOf('/', url.indexOf('://') + 3)
  return slash < 0 ? url.length : slash
}

/** Scheme and host in lower case, as in the names of workers. */
function comparable(url: string): string {
  if (isComparable(url)) return url
  const split = splitProxyUrl(url)
  if (typeof split === 'string' || split.hostname === null) return url
  return `${split.scheme}://${hostInUrl(split.hostname)}${split.port === '' ? '' : `:${split.port}`}${split.rest}`
}

/** Whether scheme and authority are in lower case already, without a user: so are those of canonical URLs. */
function isComparable(url: string): boolean {
  const start = url.indexOf('://')
  if (start < 1) return false
  for (let i = 0; i < start; i++) if (!isPlain(url.charCodeAt(i))) return false
  for (let i = start + 3; i < url.length; i++) {
    const code = url.charCodeAt(i)
    if (code === SLASH) return i > start + 3
    if (!isPlain(code)) return code === COLON && hasPort(url, i + 1)
  }
  return url.length > start + 3
}

/** Lower case letters, digits, `-` and `.`. */
function isPlain(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 46
}

/** Whether at least one digit, and nothing else, precedes the path. */
function hasPort(url: string, from: number): boolean {
  let at = from
  while (at < url.length && url.charCodeAt(at) >= 48 && url.charCodeAt(at) <= 57) at++
  return at > from && (at === url.length || url.charCodeAt(at) === SLASH)
}

const SLASH = 47
const COLON = 58

/**
 * The workers of the servers of a configuration, which directives of sections and of servers define together. Each
 * configuration has server objects of its own.
 */
const BY_SERVER = new WeakMap<Server, ServerWorkers>()

export function workersOf(server: Server): ServerWorkers {
  let workers = BY_SERVER.get(server)
  if (workers === undefined) {
    workers = new ServerWorkers()
    BY_SERVER.set(server, workers)
  }
  return workers
}
