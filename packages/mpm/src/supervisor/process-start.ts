import { readFileSync } from 'node:fs'

/** Facts about a running process. */
export interface ProcessStart {
  /**
   * Distinguishes the process from every other one with this number, also across reboots. Null if the system
   * does not provide it.
   */
  readonly identity: string | null
  /** Milliseconds since 1970, by the current clock. */
  readonly startedAt: number
}

/** Unit of the times in `/proc` (ms): 1/100 s on every platform that Node supports. */
const TICK = 10

/**
 * The start time of a process; undefined if it has ended (even if its parent has not collected it yet), and
 * `unknown` if there is no `/proc`.
 */
export function processStart(pid: number): ProcessStart | 'unknown' | undefined {
  const own = statOf(process.pid)
  if (own === undefined) return 'unknown'
  const stat = statOf(pid)
  if (stat === undefined || stat.hasEnded) return undefined
  const boot = bootId()
  return {
    identity: boot === undefined ? null : `${boot} ${stat.ticks}`,
    // Both use the same scale, even if a container changes the apparent boot time.
    startedAt: performance.timeOrigin + (stat.ticks - own.ticks) * TICK,
  }
}

interface Stat {
  readonly hasEnded: boolean
  /** Field 22: start time in ticks since boot. */
  readonly ticks: number
}

function statOf(pid: number): Stat | undefined {
  try {
    // Field 2, the name, may contain any character; fields are counted after its end.
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
