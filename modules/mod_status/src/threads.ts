import type { ServerStatus, WorkerStatus } from '@gatewright/api/status'

/** A place of the scoreboard: here a request that a worker may have in work, as a thread is in httpd. */
const FREE = '_'

/** Requests in work, at most as many as the worker has places. A worker that is stopping counts for nothing. */
export function busyThreads(worker: WorkerStatus, status: ServerStatus): number {
  return worker.stopping ? 0 : Math.min(worker.busy, status.threadsPerWorker)
}

/** Places without work; those of a worker of an earlier generation will never get any. */
export function idleThreads(worker: WorkerStatus, status: ServerStatus): number {
  if (worker.stopping || worker.generation !== status.mpmGeneration) return 0
  return status.threadsPerWorker - busyThreads(worker, status)
}

/** One letter per place of a worker: what its requests do, then `_`, or `.` where no work will come to. */
export function lettersOf(worker: WorkerStatus, status: ServerStatus): string {
  const size = status.threadsPerWorker
  const inWork = worker.requests.map(({ state }) => state).filter((state) => state !== FREE && state !== '.')
  let letters = inWork.join('').padEnd(Math.min(worker.busy, size), 'W').slice(0, size)
  if (worker.stopping) letters = 'G'.repeat(letters.length)
  return letters.padEnd(size, worker.stopping || worker.generation !== status.mpmGeneration ? '.' : FREE)
}
