import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { childrenOf } from '../fixtures/processes.ts'

/** Seconds without a smaller figure after which memory has been given back: engines collect what is garbage when they are idle. */
const QUIET = 15
/** Seconds after which a server that still gives memory back is no longer waited for. */
const LONGEST = 120

/** The least memory of a process and its descendants while nothing happens, in KiB; what they share is counted once. */
export async function idleMemory(pid: number): Promise<number> {
  let [least, since] = [Number.POSITIVE_INFINITY, 0]
  for (let second = 0; since < QUIET && second < LONGEST; second++) {
    const now = memoryOf(pid)
    since = now < least ? 0 : since + 1
    least = Math.min(least, now)
    await pause(1000)
  }
  return least
}

function memoryOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0)
  return childrenOf(pid).reduce((total, child) => total + memoryOf(child), own)
}
