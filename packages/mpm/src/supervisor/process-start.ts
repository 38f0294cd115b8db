import { readFileSync } from 'node:fs'

/** What is known of a living process. */
export interface ProcessStart {
  /** Tells it from every other process of this number, before or after a boot of the machine. Null where the system does not tell. */
  readonly identity: string | null
  /** Milliseconds since 1970, by the clock as it goes now. */
  readonly startedAt: number
}

/** A tick of the times in `/proc` (ms): 1/100 s on every platform that Node runs on. */
const TICK = 10

/** When a process started; undefined when it has ended, though perhaps nobody has asked about it yet, and `unknown` where there is no `/proc`. */
export function processStart(pid: number): ProcessStart | 'unknown' | undefined {
  const own = statOf(process.pid)
  if (own === undefined) return 'unknown'
  const stat = statOf(pid)
  if (stat === undefined || stat.hasEnded) return undefined
  const boot = bootId()
  return {
    identity: boot === undefined ? null : `${boot} ${stat.ticks}`,
    // The same scale for both, whatever a container makes the time of boot look like.
    startedAt: performance.timeOrigin + (stat.ticks - own.ticks) * TICK,
  }
}

interface Stat {
  readonly hasEnded: boolean
  /** Field 22: when it started, in ticks since boot. */
  readonly ticks: number
}

function statOf(pid: number): Stat | undefined {
  try {
    // Field 2, the name, may hold anything; fields are counted from behind its end.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { hasEnded: fields[0] === 'Z' || fields[0] === 'X', ticks: Number(fields[19]) }
  } catch {
    return undefined
  }
}

function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return undefined
  }
}
