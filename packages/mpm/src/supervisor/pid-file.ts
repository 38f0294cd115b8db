import { readFileSync, rmSync, statSync } from 'node:fs'
import { osError, osErrorText } from '@gatewright/log'
import { type ProcessStart, processStart } from './process-start.ts'
import { readState } from './state-file.ts'
import { writeWhole } from './whole-file.ts'

/** The content of a pid file. `damaged` carries the cause as a log line prints it. */
export type PidFileContent =
  | { readonly kind: 'absent' }
  | { readonly kind: 'pid'; readonly pid: number }
  | { readonly kind: 'damaged'; readonly cause: string }

/** APR's message for content that is not a number. */
const NOT_A_PID = '(20014)Internal error (specific information not available)'

export function readPidFile(path: string): PidFileContent {
  let text: string
  try {
    text = readFileSync(path, 'latin1')
  } catch (error) {
    const system = osError(error)
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { kind: 'absent' }
    return { kind: 'damaged', cause: system === undefined ? String(error) : osErrorText(system) }
  }
  return /^\s*\d{1,10}\s*$/.test(text) ? { kind: 'pid', pid: Number(text) } : { kind: 'damaged', cause: NOT_A_PID }
}

/** The lines for an unreadable pid file; the start fails with them. */
export function damagedPidFileLines(path: string, cause: string): string[] {
  return [`${cause}: AH00058: Error retrieving pid file ${path}`, 'AH00059: Remove it before continuing if it is corrupted.']
}

/**
 * The running server that a pid file names. This process itself does not count, because the number may be
 * that of a stopped server, and neither does an unrelated process that received the number after a crash, a
 * reboot or in another container.
 */
export function runningServer(path: string, content: PidFileContent): number | undefined {
  if (content.kind !== 'pid' || content.pid <= 0 || content.pid === process.pid) return undefined
  const { pid } = content
  try {
    process.kill(pid, 0)
  } catch {
    return undefined
  }
  const start = processStart(pid)
  if (start === 'unknown') return pid
  return start === undefined || isStranger(path, pid, start) ? undefined : pid
}

/**
 * Tolerance by which the file may be older than its server (ms), because file times are coarse and clocks are
 * adjusted.
 */
const TOLERANCE = 5_000

/**
 * A server identifies itself in its state file; other servers are only known to write their number after
 * their start.
 */
function isStranger(path: string, pid: number, { identity, startedAt }: ProcessStart): boolean {
  const state = readState(path)
  if (state?.pid === pid && state.identity !== null && identity !== null) return state.identity !== identity
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return written !== undefined && startedAt > written + TOLERANCE
}

/** Writes the number atomically, so that readers never see a part of it. @throws the system's error */
export function writePidFile(path: string, pid: number): void {
  writeWhole(path, `${pid}\n`, 0o644)
}

/** Removes the file if it still names this server. @returns whether it did */
export function removePidFile(path: string, pid: number): boolean {
  const content = readPidFile(path)
  if (content.kind !== 'pid' || content.pid !== pid) return false
  rmSync(path, { force: true })
  return true
}
