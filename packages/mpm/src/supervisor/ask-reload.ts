import { setTimeout as pause } from 'node:timers/promises'
import type { Reload } from './notices.ts'
import { readPidFile, runningServer } from './pid-file.ts'
import { readState } from './state-file.ts'

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

export interface ReloadRequest {
  readonly pid: number
  readonly how: Reload
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
 * Signals a server to load its configuration again, and waits for the outcome. A reload that was under way at that time has perhaps not seen the
 * latest files: the next one counts. @throws the system's error when the signal cannot be sent
 */
export async function askReload({ pid, how, pidFile, patience, onWaiting }: ReloadRequest): Promise<ReloadOutcome> {
  const before = readState(pidFile)
  process.kill(pid, how)
  if (before?.pid !== pid) return { kind: 'untold' }
  const notice = setTimeout(onWaiting, NOTICED)
  try {
    for (const end = performance.now() + patience; performance.now() < end; ) {
      await pause(STEP)
      const state = readState(pidFile)
      if (state?.pid === pid && state.ended > before.begun)
        return state.refusal === null ? { kind: 'serving' } : { kind: 'refused', lines: state.refusal }
      // The pid file is the first to go at a stop, before the state.
      if (runningServer(pidFile, readPidFile(pidFile)) !== pid) return { kind: 'over' }
      if (state === undefined) return { kind: 'unknown' }
    }
    return { kind: 'late' }
  } finally {
    clearTimeout(notice)
  }
}
