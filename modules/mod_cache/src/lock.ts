import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Request } from '@gatewright/api'
import type { CacheServerConfig } from './config.ts'

/** The oldest lock that counts, in milliseconds. */
const STANDARD_MAX_AGE = 5000

/** `free`: nobody asks the origin for the URL now. `taken`: another request does. */
export type LockState = 'free' | 'taken'

/**
 * Takes the lock of a URL: a file that all processes see, and that is removed when the request ends. It is only a hint: where
 * no file can be made, the URL is free.
 */
export function takeLock(request: Request, key: string, config: Readonly<CacheServerConfig>): LockState {
  if (config.lock !== true) return 'free'
  const { lockPath = join(tmpdir(), 'mod_cache-lock'), lockMaxAge = STANDARD_MAX_AGE } = config
  const name = createHash('sha256').update(key, 'latin1').digest('base64url')
  const folder = Buffer.from(join(lockPath, name[0], name[1]), 'latin1')
  const file = Buffer.from(join(lockPath, name[0], name[1], name), 'latin1')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    const age = made === undefined ? 0 : Date.now() - made
    if (made !== undefined && (age > lockMaxAge || age < -lockMaxAge)) rmSync(file, { force: true })
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EEXIST' ? 'taken' : 'free'
  }
  request.onDone(() => rmSync(file, { force: true }))
  return 'free'
}
