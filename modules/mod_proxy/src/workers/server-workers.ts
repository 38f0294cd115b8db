import type { SectionInfo, Server } from '@gatewright/api'
import { type Balancer, balancerOf } from './balancer.ts'
import { hostInUrl, splitProxyUrl } from './proxy-url.ts'
import { Worker, type WorkerParts } from './worker.ts'

/** The workers and balancers that the lines of one server define. */
export class ServerWorkers {
  readonly workers: Worker[] = []
  readonly balancers: Balancer[] = []

  /** The worker that a line for this URL shares: the longest one of its kind whose URL its own begins with. */
  find(url: string, socketPath: string | null = null): Worker | null {
    const isPattern = /\$\d/.test(url)
    const ofKind = this.workers.filter(({ pattern }) => (pattern !== null) === isPattern)
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
  const wanted = comparable(url)
  let best: Worker | null = null
  let bestLength = 0
  for (const worker of workers) {
    if (socketPath !== null && worker.socketPath !== socketPath) continue
    const { name } = worker
    if (name.length <= bestLength || name.length > wanted.length) continue
    const matches = worker.pattern === null ? wanted.startsWith(name) : worker.pattern.test(wanted)
    if (!matches) continue
    best = worker
    bestLength = name.length
  }
  return best
}

/** Scheme and host in lower case, as in the names of workers. */
function comparable(url: string): string {
  const split = splitProxyUrl(url)
  if (typeof split === 'string' || split.hostname === null) return url
  return `${split.scheme}://${hostInUrl(split.hostname)}${split.port === '' ? '' : `:${split.port}`}${split.rest}`
}

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
