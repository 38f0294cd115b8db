import type { ServerStatus, WorkerStatus } from '@gatewright/api/status'
import { lettersOf } from './threads.ts'

/** One letter for each of the MaxRequestWorkers slots; `.` for a slot without a process. */
export function scoreboard(status: ServerStatus): string {
  return places(status)
    .map(({ letter }) => letter)
    .join('')
}

/** A slot of the scoreboard, and its process if there is one. */
export interface Place {
  readonly letter: string
  readonly worker: WorkerStatus | null
}

/**
 * Each worker fills the block of its slot. If that is taken by a worker of a later generation, it takes the
 * next free block.
 */
export function places(status: ServerStatus): readonly Place[] {
  const size = Math.max(1, status.threadsPerWorker)
  const count = Math.max(1, Math.ceil(status.maxRequestWorkers / size))
  const blocks: (WorkerStatus | undefined)[] = new Array(count).fill(undefined)
  const byGeneration = [...status.workers].sort((a, b) => b.generation - a.generation || a.slot - b.slot)
  for (const worker of byGeneration) {
    const own = worker.slot < count && blocks[worker.slot] === undefined ? worker.slot : blocks.indexOf(undefined)
    if (own >= 0) blocks[own] = worker
  }
  const all: Place[] = []
  for (const worker of blocks) {
    const letters = worker === undefined ? '.'.repeat(size) : lettersOf(worker, status)
    for (const letter of letters) all.push({ letter, worker: worker ?? null })
  }
  return all.slice(0, status.maxRequestWorkers)
}
