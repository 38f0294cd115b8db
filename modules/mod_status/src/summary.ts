import type { ServerStatus, WorkerStatus } from '@gatewright/api'
import { busyThreads, idleThreads } from './threads.ts'

/** Sums over all workers. */
export interface Summary {
  readonly now: number
  /** Whole seconds since the last start. */
  readonly uptime: number
  readonly accesses: number
  readonly kilobytes: number
  /** Whole milliseconds. */
  readonly duration: number
  readonly cpuUser: number
  readonly cpuSystem: number
  readonly busy: number
  readonly graceful: number
  readonly idle: number
  readonly stopping: number
  readonly connections: number
  readonly writing: number
  readonly keepAlive: number
  readonly closing: number
}

export function summarize(status: ServerStatus, now: number): Summary {
  const { workers } = status
  const sum = (pick: (worker: WorkerStatus) => number): number => workers.reduce((total, worker) => total + pick(worker), 0)
  return {
    now,
    uptime: Math.max(0, Math.floor((now - status.startedAt) / 1000)),
    accesses: sum(({ accesses }) => accesses),
    kilobytes: Math.floor(sum(({ bytes }) => bytes) / 1024),
    duration: Math.floor(sum(({ duration }) => duration)),
    cpuUser: sum(({ cpuUser }) => cpuUser),
    cpuSystem: sum(({ cpuSystem }) => cpuSystem),
    busy: sum((worker) => busyThreads(worker, status)),
    graceful: 0,
    idle: sum((worker) => idleThreads(worker, status)),
    stopping: workers.filter(({ stopping }) => stopping).length,
    connections: sum(({ connections }) => connections),
    writing: sum(({ writing }) => writing),
    keepAlive: sum(({ keepAlive }) => keepAlive),
    closing: sum(({ closing }) => closing),
  }
}

/** Percentage of one processor since the start, or null when it cannot be told. */
export function cpuLoad({ cpuUser, cpuSystem, uptime }: Summary): number | null {
  const seconds = cpuUser + cpuSystem
  return seconds > 0 && uptime > 0 ? (seconds / uptime) * 100 : null
}
