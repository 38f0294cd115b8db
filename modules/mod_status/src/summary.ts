import {
  addCounters,
  busyThreads,
  idleThreads,
  type ServerStatus,
  type ServingCounters,
  type WorkerStatus,
} from '@gatewright/api/status'

/** Sums over all workers. Counters include workers that have ended. */
export interface Summary {
  readonly now: number
  /** Whole seconds since the last start. */
  readonly uptime: number
  readonly accesses: number
  readonly bytes: number
  readonly kilobytes: number
  /** Whole milliseconds. */
  readonly duration: number
  readonly cpuUser: number
  readonly cpuSystem: number
  readonly counters: ServingCounters
  readonly busy: number
  readonly graceful: number
  readonly idle: number
  readonly stopping: number
  readonly connections: number
  readonly reading: number
  readonly writing: number
  readonly keepAlive: number
  readonly closing: number
}

export function summarize(status: ServerStatus, now: number): Summary {
  const { workers, former } = status
  const sum = (pick: (worker: WorkerStatus) => number): number => workers.reduce((total, worker) => total + pick(worker), 0)
  const bytes = former.bytes + sum(({ bytes }) => bytes)
  return {
    now,
    uptime: Math.max(0, Math.floor((now - status.startedAt) / 1000)),
    accesses: former.accesses + sum(({ accesses }) => accesses),
    bytes,
    kilobytes: Math.floor(bytes / 1024),
    duration: Math.floor(former.duration + sum(({ duration }) => duration)),
    cpuUser: former.cpuUser + sum(({ cpuUser }) => cpuUser),
    cpuSystem: former.cpuSystem + sum(({ cpuSystem }) => cpuSystem),
    counters: workers.reduce((total, { counters }) => addCounters(total, counters), former.counters),
    busy: sum((worker) => busyThreads(worker, status)),
    graceful: 0,
    idle: sum((worker) => idleThreads(worker, status)),
    stopping: workers.filter(({ stopping }) => stopping).length,
    connections: sum(({ connections }) => connections),
    reading: sum(({ reading }) => reading),
    writing: sum(({ writing }) => writing),
    keepAlive: sum(({ keepAlive }) => keepAlive),
    closing: sum(({ closing }) => closing),
  }
}

/** Percentage of one processor since the start, or null if unknown. */
export function cpuLoad({ cpuUser, cpuSystem, uptime }: Summary): number | null {
  const seconds = cpuUser + cpuSystem
  return seconds > 0 && uptime > 0 ? (seconds / uptime) * 100 : null
}

/** Active requests, including those of stopping workers, which httpd's numbers omit. */
export function requestsInWork({ workers }: ServerStatus): number {
  return workers.reduce((total, { busy }) => total + busy, 0)
}
