import { setTimeout as pause } from 'node:timers/promises'
import type { Reload, Upgrade } from './notices.ts'
import { readPidFile, runningServer } from './pid-file.ts'
import { readState, type ServerState } from './state-file.ts'

/** The outcome of a requested reload. */
export type ReloadOutcome =
  /** The new configuration serves. */
  | { readonly kind: 'serving' }
  /** The server keeps its current configuration; `lines` give the reason. */
  | { readonly kind: 'refused'; readonly lines: readonly string[] }
  /** The server has ended in the meantime. */
  | { readonly kind: 'over' }
  /** It was still in progress when the time limit was reached. */
  | { readonly kind: 'late' }
  /** The server received the signal, but never reports outcomes: it is another program. */
  | { readonly kind: 'untold' }
  /** The server could not record the outcome. */
  | { readonly kind: 'unknown' }
  /**
   * An upgrade that the server does not support, so it was not requested: the server was started in the
   * foreground, or its version does not know upgrades.
   */
  | { readonly kind: 'irreplaceable' }

export interface ReloadRequest {
  readonly pid: number
  readonly how: Reload | Upgrade
  readonly pidFile: string
  /** Milliseconds. */
  readonly patience: number
  /** Called once when the wait becomes noticeable to a person. */
  readonly onWaiting: () => void
}

/** Milliseconds. */
const STEP = 25
const NOTICED = 1_000

/**
 * Signals a server to reload its configuration, or to hand over to the installed program, and waits for the
 * outcome. A reload that was already in progress may not have seen the latest files: the next one counts.
 * @throws the system's error if the signal cannot be sent
 */
export async function askReload({ pid, how, pidFile, patience, onWaiting }: ReloadRequest): Promise<ReloadOutcome> {
  const before = readState(pidFile)
  // The signal would end a server that does not handle it.
  if (how === 'SIGUSR2' && (before?.pid !== pid || !before.replaceable)) return { kind: 'irreplaceable' }
  process.kill(pid, how)
  if (before?.pid !== pid) return { kind: 'untold' }
  const notice = setTimeout(onWaiting, NOTICED)
  try {
    for (const end = performance.now() + patience; performance.now() < end; ) {
      await pause(STEP)
      const state = readState(pidFile)
      if (state?.pid === pid && state.ended > before.begun)
        return state.refusal === null ? { kind: 'serving' } : { kind: 'refused', lines: state.refusal }
      if (how === 'SIGUSR2' && hasSucceeded(state, pid)) return { kind: 'serving' }
      if (hasEnded(pid, how, pidFile)) return { kind: 'over' }
      if (state === undefined) return { kind: 'unknown' }
    }
    return { kind: 'late' }
  } finally {
    clearTimeout(notice)
  }
}

/** The state belongs to a successor, all of whose workers serve. */
function hasSucceeded(state: ServerState | undefined, pid: number): boolean {
  return state !== undefined && state.pid !== pid && state.ended > 0
}

/**
 * At a stop, the pid file is removed before the state file. While a successor tries to take over, it may name
 * the successor.
 */
function hasEnded(pid: number, how: Reload | Upgrade, pidFile: string): boolean {
  const content = readPidFile(pidFile)
  if (runningServer(pidFile, content) === pid) return false
  return how !== 'SIGUSR2' || content.kind === 'absent' || !isAlive(pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
