import { setTimeout as pause } from 'node:timers/promises'
import type { Reload, Upgrade } from './notices.ts'
import { readPidFile, runningServer } from './pid-file.ts'
import { readState, type ServerState } from './state-file.ts'

/** What came of a reload that was asked for. */
export type ReloadOutcome =
  /** The new configuration serves. */
  | { readonly kind: 'serving' }
  /** The server goes on with what it had; `lines` tell why. */
  | { readonly kind: 'refused'; readonly lines: readonly string[] }
  /** The server has ended meanwhile. */
  | { readonly kind: 'over' }
  /** It was still under way when the patience came to its end. */
  | { readonly kind: 'late' }
  /** The server has the signal, and never tells what comes of one: it is another program. */
  | { readonly kind: 'untold' }
  /** The server could not write down what came of it. */
  | { readonly kind: 'unknown' }
  /** An upgrade that the server cannot do, which it was not asked for: it was started in the foreground, or its version knows of none. */
  | { readonly kind: 'irreplaceable' }

export interface ReloadRequest {
  readonly pid: number
  readonly how: Reload | Upgrade
  readonly pidFile: string
  /** Milliseconds. */
  readonly patience: number
  /** Called once when the wait has become one that a person notices. */
  readonly onWaiting: () => void
}

/** Milliseconds. */
const STEP = 25
const NOTICED = 1_000

/**
 * Signals a server to load its configuration again, or to have the installed program take over, and waits for the outcome. A reload that was under way at that time has perhaps not seen the
 * latest files: the next one counts. @throws the system's error when the signal cannot be sent
 */
export async function askReload({ pid, how, pidFile, patience, onWaiting }: ReloadRequest): Promise<ReloadOutcome> {
  const before = readState(pidFile)
  // The signal would end a server that does not know it.
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

/** The state is a successor's, all of whose workers serve. */
function hasSucceeded(state: ServerState | undefined, pid: number): boolean {
  return state !== undefined && state.pid !== pid && state.ended > 0
}

/** The pid file is the first to go at a stop, before the state. While a successor tries to take over, it may name that one. */
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
