import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { DbmError, systemError } from './dbm-error.ts'
import { fileName } from './file-name.ts'
import { systemCall } from './system-call.ts'

const ENOENT = 2
const EBADF = 9
const EEXIST = 17

/** How long to wait for another writer, in milliseconds. */
const PATIENCE = 5000
const PAUSE = 10

/**
 * A new version of a file, written as `PATH.new` beside it and then renamed: a process that opens the path
 * gets the old bytes or the new ones, and a process that has it open keeps the old ones. Node does not have
 * file locks; `PATH.new`, which only one process can create, serves as one.
 */
export class Replacement {
  readonly #path: string
  readonly #target: Buffer
  readonly #temporary: Buffer
  #descriptor: number | undefined
  #isPending = true

  private constructor(path: string, target: Buffer, temporary: Buffer, descriptor: number) {
    this.#path = path
    this.#target = target
    this.#temporary = temporary
    this.#descriptor = descriptor
  }

  /**
   * Waits up to 5 s for another writer. @throws DbmError 17 if it has not finished by then, else the system's
   * number
   */
  static begin(path: string): Replacement {
    const target = behindLinks(path)
    const temporary = Buffer.concat([target, Buffer.from('.new')])
    for (const deadline = performance.now() + PATIENCE; ; pause()) {
      try {
        const descriptor = systemCall(path, () => openSync(temporary, 'wx', 0o666))
        return new Replacement(path, target, temporary, descriptor)
      } catch (error) {
        if (!(error instanceof DbmError) || error.code !== EEXIST) throw error
        if (performance.now() >= deadline) {
          const left = temporary.toString()
          throw systemError(EEXIST, `another program is changing ${path}, or was interrupted: if there is none, remove ${left}`)
        }
      }
    }
  }

  write(bytes: Buffer, position: number): void {
    for (let written = 0; written < bytes.length; ) {
      written += this.#call((descriptor) => writeSync(descriptor, bytes, written, bytes.length - written, position + written))
    }
  }

  /**
   * Completes the new file after its last byte: gives it the owner and permissions of the file that it
   * replaces, and writes it to the disk.
   */
  finish(): void {
    this.#call((descriptor) => {
      const old = statSync(this.#target, { throwIfNoEntry: false })
      const own = fstatSync(descriptor)
      if (old !== undefined) {
        if (old.uid !== own.uid || old.gid !== own.gid) fchownSync(descriptor, old.uid, old.gid)
        fchmodSync(descriptor, old.mode & 0o7777)
      }
      fsyncSync(descriptor)
    })
    this.#close()
  }

  /** Removes the old file early. */
  removeOld(): void {
    systemCall(this.#path, () => rmSync(this.#target, { force: true }))
  }

  takePlace(): void {
    systemCall(this.#path, () => renameSync(this.#temporary, this.#target))
    this.#isPending = false
    syncFolder(this.#target)
  }

  /** Discards the new file and keeps the old one. Harmless after `takePlace`. */
  discard(): void {
    this.#close()
    if (this.#isPending) rmSync(this.#temporary, { force: true })
    this.#isPending = false
  }

  #call<T>(act: (descriptor: number) => T): T {
    const descriptor = this.#descriptor
    if (descriptor === undefined) throw systemError(EBADF, `the new version of ${this.#path} is closed`)
    return systemCall(this.#path, () => act(descriptor))
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

/** The error if a program that does not use this package replaced the file first. */
export function changedMeanwhile(path: string): DbmError {
  const EAGAIN = 11
  return systemError(EAGAIN, `another program changed ${path} meanwhile; nothing was written: try again`)
}

/** Resolves links, so that a link remains and its target is replaced. */
function behindLinks(path: string): Buffer {
  const name = fileName(path)
  try {
    return systemCall(path, () => realpathSync(name, { encoding: 'buffer' }))
  } catch (error) {
    if (error instanceof DbmError && error.code === ENOENT) return Buffer.from(name)
    throw error
  }
}

/**
 * Writes the folder to the disk, so that the new name survives a power failure. Some file systems do not
 * support this.
 */
function syncFolder(file: Buffer): void {
  const end = file.lastIndexOf('/')
  try {
    const descriptor = openSync(end < 0 ? '.' : file.subarray(0, end + 1), 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
}
