import type { ServerStatus, WorkerStatus } from '@gatewright/api/status'

/**
 * A free slot of the scoreboard. A slot stands for a request that a worker may process, as a thread does in
 * httpd.
 */
const FREE = '_'

/** Active requests, at most as many as the worker has slots. A stopping worker counts as 0. */
export function busyThreads(worker: WorkerStatus, status: ServerStatus): number {
  return worker.stopping ? 0 : Math.min(worker.busy, status.threadsPerWorker)
}

/** Free slots; those of a worker of an earlier generation never get a request, and do not count. */
export function idleThreads(worker: WorkerStatus, status: ServerStatus): number {
  if (worker.stopping || worker.generation !== status.mpmGeneration) return 0
  return status.threadsPerWorker - busyThreads(worker, status)
}

/**
 * One letter per slot of a worker: the states of its requests, then `_`, or `.` for slots that never get a
 * request again.
 */
export function lettersOf(worker: WorkerStatus, status: ServerStatus): string {
  const size = status.threadsPerWorker
  const inWork = worker.requests.map(({ state }) => state).filter((state) => state !== FREE && state !== '.')
  let letters = inWork.join('').padEnd(Math.min(worker.busy, size), 'W').slice(0, size)
  if (worker.stopping) letters = 'G'.repeat(letters.length)
  return letters.padEnd(size, worker.stopping || worker.generation !== status.mpmGeneration ? '.' : FREE)
}
