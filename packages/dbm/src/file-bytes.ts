import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { systemError } from './dbm-error.ts'
import { fileName } from './file-name.ts'
import { systemCall } from './system-call.ts'

/**
 * Files up to this size are read whole and closed at once, so that a read never mixes the states before and
 * after a write.
 */
const WHOLE_FILE_LIMIT = 4 * 1024 * 1024

/** No record, bucket or page is larger. The limit keeps a damaged length from allocating that much memory. */
const LARGEST_READ = 256 * 1024 * 1024

const EBADF = 9
const EISDIR = 21
const EINVAL = 22

/** The bytes of a regular file, up to its length at opening: later additions are ignored. */
export class FileBytes {
  readonly path: string
  readonly size: number
  readonly #identity: string
  #descriptor: number | undefined
  #whole: Buffer | undefined

  /** @throws DbmError with the system's number: absent, not permitted, a directory, not a regular file */
  constructor(path: string) {
    this.path = path
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    const descriptor = systemCall(path, () => openSync(fileName(path), constants.O_RDONLY | constants.O_NONBLOCK))
    this.#descriptor = descriptor
    try {
      const stat = systemCall(path, () => fstatSync(descriptor))
      if (stat.isDirectory()) throw systemError(EISDIR, `${path} is a directory`)
      if (!stat.isFile()) throw systemError(EINVAL, `${path} is not a regular file`)
      this.size = stat.size
      this.#identity = identityOf(stat)
      if (stat.size <= WHOLE_FILE_LIMIT) {
        const bytes = Buffer.allocUnsafe(stat.size)
        this.#whole = bytes.subarray(0, this.#fill(bytes, 0))
      }
    } catch (error) {
      this.close()
      throw error
    }
    if (this.#whole !== undefined) this.#closeDescriptor()
  }

  /**
   * Reads exactly `length` bytes from `position`. The result may share memory.
   * @returns undefined if the file does not contain all of them or if `length` exceeds 256 MiB
   */
  read(position: number, length: number): Buffer | undefined {
    if (!(position >= 0 && length >= 0 && length <= LARGEST_READ && position + length <= this.size)) return undefined
    if (this.#whole === undefined) {
      const bytes = Buffer.allocUnsafe(length)
      return this.#fill(bytes, position) === length ? bytes : undefined
    }
    return position + length <= this.#whole.length ? this.#whole.subarray(position, position + length) : undefined
  }

  /** Whether the path still leads to this file, unmodified since it was opened. */
  isCurrent(): boolean {
    const stat = systemCall(this.path, () => statSync(fileName(this.path), { throwIfNoEntry: false }))
    return stat !== undefined && identityOf(stat) === this.#identity
  }

  close(): void {
    this.#whole = undefined
    this.#closeDescriptor()
  }

  #closeDescriptor(): void {
    if (this.#descriptor === undefined) return
    closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #fill(bytes: Buffer, position: number): number {
    const descriptor = this.#descriptor
    if (descriptor === undefined) throw systemError(EBADF, `${this.path} is closed`)
    let filled = 0
    while (filled < bytes.length) {
      const count = systemCall(this.path, () => readSync(descriptor, bytes, filled, bytes.length - filled, position + filled))
      if (count === 0) break
      filled += count
    }
    return filled
  }
}

/** Whether a path does not exist, not even as a dangling link. */
export function isAbsent(path: string): boolean {
  return systemCall(path, () => lstatSync(fileName(path), { throwIfNoEntry: false })) === undefined
}

function identityOf(stat: Stats): string {
  return `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}`
}
