import { readFileSync } from 'node:fs'
import type { SupervisorLog } from './supervisor-log.ts'

/** Fewer descriptors than this are too few for any server. */
const FEW = 1024

/**
 * The number of files and connections that this process and its children can open; undefined if the system
 * does not report it.
 */
export function descriptorLimit(limits: string = readLimits()): number | undefined {
  const text = /^Max open files +(\d+|unlimited)/m.exec(limits)?.[1]
  return text === 'unlimited' ? Infinity : text === undefined ? undefined : Number(text)
}

/**
 * Warns of a limit that clients will reach: a connection takes one descriptor, and a file that is sent takes
 * another.
 */
export function logDescriptorLimit(log: SupervisorLog, limit: number | undefined, maxRequestWorkers: number): void {
  if (limit === undefined || limit >= Math.max(FEW, maxRequestWorkers)) return
  const cause = limit < FEW ? 'few for a server' : `fewer than MaxRequestWorkers, ${maxRequestWorkers}`
  log.write(
    'core',
    'warn',
    '',
    `a process can open at most ${limit} files and connections, ${cause}: raise the limit before the start, with 'ulimit -n 65536' or LimitNOFILE of the service`,
  )
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1')
  } catch {
    return ''
  }
}
