import type { Watched } from './process-watch.ts'
import { trendOf } from './trend.ts'

/** How much more memory a process may have at the end of the stretch than at its beginning, on the line that fits best. Garbage comes and goes in V8's heap. */
export const TOLERANCE = 0.1
/** A shorter period (seconds) only shows how a heap grows to its size. */
const SHORTEST = 120

export interface MemoryTrend {
  readonly pid: number
  readonly role: Watched['role']
  /** MiB. */
  readonly from: number
  readonly to: number
  readonly flat: boolean
}

/** The trend of each process that lived from one moment to the end (seconds); empty when that is too short to tell. */
export function memoryTrends(processes: Iterable<Watched>, from: number, end: number): MemoryTrend[] {
  if (end - from < SHORTEST) return []
  return [...processes].flatMap(({ pid, role, memory }) => {
    const samples = memory.filter(({ at }) => at >= from && at <= end)
    if (samples.length < (end - from) / 2) return []
    const trend = trendOf(samples)
    return [{ pid, role, ...trend, flat: trend.to <= trend.from * (1 + TOLERANCE) }]
  })
}
