import type { ServerStatus, WorkerStatus } from '@gatewright/api/status'

/**
 * A free slot of the scoreboard. A slot stands for a request that a worker may process, as a thread does in
 * httpd.
 */
const FREE = '_'

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
