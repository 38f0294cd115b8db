import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { DavLock, DavLocks } from '@gatewright/dav'
import { failure, hasCode } from './failure.ts'
import { bytesOf, temporaryPath } from './names.ts'

/** A process that changes the locks needs less than this; then it has died. */
const ABANDONED_MS = 10_000

const MESSAGE = 'Could not open the lock database.'

/**
 * Locks in a file that all processes of the server read, and that stays when the server is stopped. A change writes the
 * file aside and renames it; a second file keeps processes from changing it at the same time.
 */
export class LockStore implements DavLocks {
  readonly #path: string
  #version = ''
  #locks: readonly DavLock[] = []

  /** @param path that of DavLockDB */
  constructor(path: string) {
    this.#path = `${path}.json`
  }

  list(): readonly DavLock[] {
    this.#refresh()
    const now = Date.now()
    return this.#locks.filter(({ expires }) => expires === 0 || expires > now)
  }

  async change(edit: (locks: readonly DavLock[]) => readonly DavLock[]): Promise<void> {
    const release = await this.#acquire()
    try {
      const edited = edit(this.list())
      const aside = temporaryPath(this.#path)
      try {
        writeFileSync(bytesOf(aside), JSON.stringify(edited), { flush: true, mode: 0o600 })
        renameSync(bytesOf(aside), bytesOf(this.#path))
      } catch (error) {
        rmSync(bytesOf(aside), { force: true })
        throw failure(error, 500, 'Could not save the locks.', 'There is not enough storage to save the locks.')
      }
    } finally {
      release()
    }
  }

  async #acquire(): Promise<() => void> {
    const guard = bytesOf(`${this.#path}.guard`)
    for (;;) {
      try {
        closeSync(openSync(guard, 'wx', 0o600))
        return () => rmSync(guard, { force: true })
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw failure(error, 500, MESSAGE, MESSAGE)
      }
      if (isAbandoned(guard)) rmSync(guard, { force: true })
      else await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  #refresh(): void {
    try {
      const { ino, mtimeMs, size } = statSync(bytesOf(this.#path))
      const version = `${ino} ${mtimeMs} ${size}`
      if (version === this.#version) return
      this.#locks = locksIn(JSON.parse(readFileSync(bytesOf(this.#path)).toString('utf8')))
      this.#version = version
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw failure(error, 500, MESSAGE, MESSAGE)
      this.#locks = []
      this.#version = ''
    }
  }
}

function isAbandoned(guard: Buffer): boolean {
  try {
    return Date.now() - statSync(guard).mtimeMs > ABANDONED_MS
  } catch {
    return false
  }
}

function locksIn(data: unknown): DavLock[] {
  if (!Array.isArray(data)) throw new Error('the lock database is damaged')
  return data.map((item: unknown) => {
    if (!isLock(item)) throw new Error('the lock database is damaged')
    return item
  })
}

function isLock(item: unknown): item is DavLock {
  if (typeof item !== 'object' || item === null) return false
  const { token, path, deep, exclusive, owner, user, expires } = Object.assign({ ...NOTHING }, item)
  const texts: readonly unknown[] = [token, path, owner, user]
  return (
    texts.every((text) => typeof text === 'string') &&
    typeof deep === 'boolean' &&
    typeof exclusive === 'boolean' &&
    typeof expires === 'number'
  )
}

const NOTHING = { token: null, path: null, deep: null, exclusive: null, owner: null, user: null, expires: null }
