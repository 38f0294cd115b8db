import { lstatSync, type Stats, statSync } from 'node:fs'
import type { FileInfo } from '@gatewright/api'
import { wireBytes } from '@gatewright/http'

/** Why nothing is known of a path, in httpd's terms. */
export type StatFailure = 'missing' | 'not-a-directory' | 'forbidden' | 'loop' | 'other'

export type StatResult = FileInfo | StatFailure

/**
 * Byte strings become bytes for the file system: a character above 0x7f would be taken for UTF-8 otherwise.
 * @throws TypeError for a character above 0xff: cut to a byte it might be a slash or a dot, and the file
 * another one than was decided about
 */
export function fsPath(path: string): string | Buffer {
  for (let index = 0; index < path.length; index++) if (path.charCodeAt(index) > 0x7f) return wireBytes(path)
  return path
}

/**
 * Answers of stat, asked once per path and turn of the event loop: all requests of a turn were waiting before
 * it began, so what is true at its start is true for all of them, and an edit counts with the next turn.
 */
export class StatCache {
  readonly #answers = new Map<string, StatResult>()
  #armed = false
  #turnNumber = 0
  readonly #assumed: AssumedPaths

  /** @param assumed paths that count as folders and files when nothing is there */
  constructor(assumed: AssumedPaths = NOTHING_ASSUMED) {
    this.#assumed = assumed
  }

  /**
   * Number of the turn that the answers belong to; meaningful once something was asked in the present turn.
   */
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

  /** The link itself. */
  isLink(path: string): boolean {
    try {
      return lstatSync(fsPath(path), { throwIfNoEntry: false })?.isSymbolicLink() === true
    } catch {
      return false
    }
  }

  /** Owner of a link itself, for SymLinksIfOwnerMatch; undefined when it cannot be known. */
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
    if (this.#armed) return
    this.#armed = true
    setImmediate(this.#forget)
  }

  readonly #forget = (): void => {
    this.#armed = false
    this.#turnNumber++
    this.#answers.clear()
  }
}

interface AssumedPaths {
  readonly folders: ReadonlySet<string>
  readonly accessFiles: ReadonlyMap<string, string>
}

const NOTHING_ASSUMED: AssumedPaths = { folders: new Set(), accessFiles: new Map() }

/** A folder that anybody may read, of nobody in particular. */
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
