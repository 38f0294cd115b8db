import { DbmError, driverError } from '../dbm-error.ts'
import { FileBytes } from '../file-bytes.ts'
import type { DbmReader } from '../reader.ts'
import { ABSENT, DAMAGED, GdbmBucket } from './bucket.ts'
import { gdbmHash } from './hash.ts'
import { GDBM_ERROR, type GdbmHeader, readHeader } from './header.ts'
import { readOffset } from './layout.ts'

/** @throws DbmError with GDBM's numbers: the library does not return the system's */
export function openGdbm(path: string): DbmReader {
  let file: FileBytes
  try {
    file = new FileBytes(path)
  } catch (error) {
    if (!(error instanceof DbmError)) throw error
    const EISDIR = 21
    throw driverError(error.code === EISDIR ? GDBM_ERROR.fileRead : GDBM_ERROR.fileOpen, error.message)
  }
  return readGdbm(file)
}

/** Reads an open file, and closes it if it cannot be read. */
export function readGdbm(file: FileBytes): DbmReader {
  try {
    return new GdbmReader(file, readHeader(file))
  } catch (error) {
    file.close()
    throw error
  }
}

class GdbmReader implements DbmReader {
  readonly #file: FileBytes
  readonly #header: GdbmHeader
  #damage: DbmError | undefined

  constructor(file: FileBytes, header: GdbmHeader) {
    this.#file = file
    this.#header = header
  }

  get size(): number {
    return this.#file.size
  }

  get damage(): DbmError | undefined {
    return this.#damage
  }

  get(key: Buffer): Buffer | undefined {
    const hash = gdbmHash(key)
    const entry = hash >>> (31 - this.#header.bits)
    const offset = this.#bucketOffset(entry)
    const bucket = GdbmBucket.read(this.#header, this.#file, offset)
    const slot = bucket === undefined ? DAMAGED : bucket.find(key, hash)
    if (slot === ABSENT && bucket?.isSound(entry)) return undefined
    const value = slot === DAMAGED || slot === ABSENT ? undefined : bucket?.value(slot)
    if (value === undefined) this.#damage ??= this.#damaged(GDBM_ERROR.badBucket, `the bucket at ${offset}`)
    return value
  }

  *entries(): Iterable<[Buffer, Buffer]> {
    const { bits } = this.#header
    // Records do not share bytes. Without this check a small file could list more records than fit into
    // memory.
    let left = this.#file.size
    const end = 2 ** bits
    for (let index = 0; index < end; ) {
      const offset = this.#bucketOffset(index)
      const bucket = GdbmBucket.read(this.#header, this.#file, offset)
      if (bucket === undefined) throw this.#damaged(GDBM_ERROR.badBucket, `the bucket at ${offset}`)
      // A bucket belongs to one aligned run of entries. This check keeps a damaged directory from naming one
      // twice.
      const run = 2 ** (bits - bucket.bits)
      for (let other = index; other < index + run; other++) {
        if (index % run !== 0 || this.#bucketOffset(other) !== offset) {
          throw this.#damaged(GDBM_ERROR.badDirectoryEntry, `entry ${other} of the directory`)
        }
      }
      for (const record of this.#bucketEntries(bucket, index, run)) {
        left -= record[0].length + record[1].length
        if (left < 0) throw this.#damaged(GDBM_ERROR.badHashEntry, `an element of the bucket at ${offset}`)
        yield record
      }
      index += run
    }
  }

  close(): void {
    this.#file.close()
  }

  *#bucketEntries(bucket: GdbmBucket, index: number, run: number): Iterable<[Buffer, Buffer]> {
    const { bits, elements } = this.#header
    for (let slot = 0; slot < elements; slot++) {
      const hash = bucket.hash(slot)
      if (hash === -1) continue
      const entry = hash >>> (31 - bits)
      const key = bucket.key(slot)
      const value = bucket.value(slot)
      if (key === undefined || value === undefined || entry < index || entry >= index + run || !bucket.isConsistent(slot, key)) {
        throw this.#damaged(GDBM_ERROR.badHashEntry, `element ${slot} of the bucket of directory entry ${index}`)
      }
      yield [key, value]
    }
  }

  #bucketOffset(index: number): number {
    const { layout, directory } = this.#header
    const bytes = this.#file.read(directory + index * layout.offsetSize, layout.offsetSize)
    return bytes === undefined ? 0 : readOffset(layout, bytes, 0)
  }

  #damaged(number: number, what: string): DbmError {
    return driverError(number, `${what} of ${this.#file.path} is damaged`)
  }
}
