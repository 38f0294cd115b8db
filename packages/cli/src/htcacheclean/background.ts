import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bytesOf } from '@gatewright/disk-cache'
import { LONGEST_TIMER } from '../longest-timer.ts'
import { type CleanOptions, clean } from './clean.ts'
import type { HtcachecleanOptions } from './options.ts'

/** Present in the environment of the process that runs in the background. */
const MARK = 'GATEWRIGHT_HTCACHECLEAN'
const MINUTE = 60_000
/** Whether this process is the one in the background. */
export function isInBackground(): boolean {
  return process.env[MARK] !== undefined
}

/**
 * Starts this program again, in the background, with the same arguments.
 * @throws the system's error if it cannot be started, or if the file for the process ID cannot be written; it does not run then
 */
export async function startInBackground(pidFile: string | null): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...process.env, [MARK]: '1' },
    stdio: 'ignore',
    detached: true,
  })
  await once(child, 'spawn')
  try {
    if (pidFile !== null) writeFileSync(bytesOf(pidFile), `${child.pid}\n`)
  } catch (error) {
    child.kill()
    throw error
  }
  child.unref()
}

/** Cleans in turns until SIGTERM or SIGINT ends this process. A turn that fails is no reason to end. */
export async function cleanInTurns(
  root: string,
  options: CleanOptions & Pick<HtcachecleanOptions, 'onlyAfterChanges' | 'pidFile'>,
  interval: number,
): Promise<never> {
  const { onlyAfterChanges, pidFile } = options
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (pidFile !== null) rmSync(bytesOf(pidFile), { force: true })
      process.exit(0)
    })
  }
  let cleaned = Number.NaN
  for (;;) {
    try {
      if (!onlyAfterChanges || newestChange(root) !== cleaned) {
        await clean(root, options)
        cleaned = newestChange(root)
      }
    } catch {
      // The folder may be away for a while.
    }
    await pause(Math.min(interval * MINUTE, LONGEST_TIMER))
  }
}

/** When a folder or one in it was changed last: milliseconds since 1970. */
function newestChange(folder: string): number {
  let newest = statSync(bytesOf(folder)).mtimeMs
  for (const entry of readdirSync(bytesOf(folder), { withFileTypes: true, encoding: 'latin1' })) {
    if (entry.isDirectory()) newest = Math.max(newest, newestChange(join(folder, entry.name)))
  }
  return newest
}
