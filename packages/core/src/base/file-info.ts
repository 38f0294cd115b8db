import { lstatSync, type Stats, statSync } from 'node:fs'
import type { FileInfo } from '@gatewright/api'
import { wireBytes } from '@gatewright/http'

/** Why stat failed, in httpd's terms. */
export type StatFailure = 'missing' | 'not-a-directory' | 'forbidden' | 'loop' | 'other'

export type StatResult = FileInfo | StatFailure

/**
 * Converts a byte string to bytes for the file system, because Node would encode a character above 0x7f as
 * UTF-8.
 * @throws TypeError for a character above 0xff: truncated to a byte it could be a slash or a dot, and name a
 *   different file from the one that was authorized
 */
export function fsPath(path: string): string | Buffer {
  for (let index = 0; index < path.length; index++) if (path.charCodeAt(index) > 0x7f) return wireBytes(path)
  return path
}

/**
 * Results of stat and lstat, called once per path and turn of the event loop. All requests of a turn arrived before it
 * began, so the state at its start is valid for all of them, and an edit takes effect in the next turn.
 */
export class StatCache {
  readonly #answers = new Map<string, StatResult>()
  readonly #links = new Map<string, boolean>()
  #armed = false
  #turnNumber = 0
  readonly #assumed: AssumedPaths

  /** @param assumed paths that are treated as folders and files if they do not exist */
  constructor(assumed: AssumedPaths = NOTHING_ASSUMED) {
    this.#assumed = assumed
  }

  /** Number of the turn that the results belong to; valid after the first query of the present turn. */
  get turn(): number {
    return this.#turnNumber
  }

  /** Follows symbolic links. */
  stat(path: string): StatResult {
    const known = this.#answers.get(path)
    if (known !== undefined) return known
    const found = ask(path, statSync)
    const answer = typeof found === 'string' ? this.#assumedOr(found, path) : found
    this.#keep(path, answer)
    return answer
  }

  /** Whether the path itself is a link. */
  isLink(path: string): boolean {
    const known = this.#links.get(path)
    if (known !== undefined) return known
    const answer = isLink(path)
    this.#links.set(path, answer)
    this.#arm()
    return answer
  }

  /** Owner of a link itself, for SymLinksIfOwnerMatch; undefined if it cannot be determined. */
  linkOwner(path: string): number | undefined {
    try {
      return lstatSync(fsPath(path), { throwIfNoEntry: false })?.uid
    } catch {
      return undefined
    }
  }

  #assumedOr(failure: StatFailure, path: string): StatResult {
    if (this.#assumed.folders.has(path)) return ASSUMED_FOLDER
    return failure === 'missing' && this.#assumed.accessFiles.has(path) ? ASSUMED_FILE : failure
  }

  #keep(path: string, answer: StatResult): void {
    this.#answers.set(path, answer)
    this.#arm()
  }

  #arm(): void {
    if (this.#armed) return
    this.#armed = true
    setImmediate(this.#forget)
  }

  readonly #forget = (): void => {
    this.#armed = false
    this.#turnNumber++
    this.#answers.clear()
    this.#links.clear()
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(fsPath(path), { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
    return false
  }
}

interface AssumedPaths {
  readonly folders: ReadonlySet<string>
  readonly accessFiles: ReadonlyMap<string, string>
}

const NOTHING_ASSUMED: AssumedPaths = { folders: new Set(), accessFiles: new Map() }

/** A folder that every user may read, without a particular owner. */
const ASSUMED_FOLDER: FileInfo = {
  kind: 'directory',
  size: 0,
  mtimeMs: 0,
  inode: 0,
  device: 0,
  mode: 0o40755,
  uid: 0,
  gid: 0,
}

const ASSUMED_FILE: FileInfo = { ...ASSUMED_FOLDER, kind: 'file', mode: 0o100644 }

function ask(path: string, stat: typeof statSync): StatResult {
  try {
    const found = stat(fsPath(path), { throwIfNoEntry: false })
    return found === undefined ? 'missing' : describe(found)
  } catch (error) {
    return failureOf(error)
  }
}

function failureOf(error: unknown): StatFailure {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'missing'
  if (code === 'ENOTDIR') return 'not-a-directory'
  // A NUL byte cannot be part of a name.
  if (code === 'ERR_INVALID_ARG_VALUE') return 'missing'
  if (code === 'ELOOP') return 'loop'
  return code === 'EACCES' ? 'forbidden' : 'other'
}

export function describe(stats: Stats): FileInfo {
  return {
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other',
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    inode: stats.ino,
    device: stats.dev,
    mode: stats.mode,
    uid: stats.uid,
    gid: stats.gid,
  }
}
