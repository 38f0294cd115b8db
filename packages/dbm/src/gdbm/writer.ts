import { DbmError, driverError } from '../dbm-error.ts'
import { FileBytes, isAbsent } from '../file-bytes.ts'
import { changedMeanwhile, Replacement } from '../replacement.ts'
import type { DbmWriter, DbmWriterMode } from '../writer.ts'
import { buildGdbm } from './build.ts'
import { GDBM_ERROR, type GdbmKind, NEW_KIND, readHeader } from './header.ts'
import { readGdbm } from './reader.ts'

/**
 * Opens a GDBM file for changes. The existing content is read whole, and `close` rewrites the file without
 * gaps and without remains of deleted values. Width of offsets, block size and extension of the header do not
 * change.
 * @throws DbmError with GDBM's numbers
 */
export function openGdbmWriter(path: string, mode: DbmWriterMode): DbmWriter {
  const replacement = inDriver(GDBM_ERROR.fileOpen, () => Replacement.begin(path))
  try {
    return new GdbmWriter(path, replacement, mode)
  } catch (error) {
    replacement.discard()
    throw error
  }
}

/** Keys are latin1 strings. */
type Records = Map<string, Buffer>

class GdbmWriter implements DbmWriter {
  readonly #path: string
  readonly #replacement: Replacement
  readonly #mode: DbmWriterMode
  /** undefined if there was no file. */
  readonly #old: FileBytes | undefined
  readonly #kind: GdbmKind
  readonly #records: Records
  #isOpen = true

  constructor(path: string, replacement: Replacement, mode: DbmWriterMode) {
    this.#path = path
    this.#replacement = replacement
    this.#mode = mode
    const isNew = mode === 'truncate' || (mode === 'create' && isAbsent(path))
    this.#old = isNew ? undefined : inDriver(GDBM_ERROR.fileOpen, () => new FileBytes(path))
    const content = this.#old === undefined ? EMPTY : readAll(this.#old)
    this.#kind = content.kind
    this.#records = new Map(content.records)
  }

  get(key: Buffer): Buffer | undefined {
    const value = this.#open().get(name(key))
    return value === undefined ? undefined : Buffer.from(value)
  }

  insert(key: Buffer, value: Buffer): boolean {
    if (this.#open().has(name(key))) return false
    this.replace(key, value)
    return true
  }

  replace(key: Buffer, value: Buffer): void {
    const records = this.#open()
    // The newest record comes last, as in a file that is filled from the front.
    records.delete(name(key))
    records.set(name(key), Buffer.from(value))
  }

  delete(key: Buffer): boolean {
    return this.#open().delete(name(key))
  }

  *entries(): Iterable<[Buffer, Buffer]> {
    for (const [key, value] of this.#open()) yield [Buffer.from(key, 'latin1'), Buffer.from(value)]
  }

  close(): void {
    if (!this.#isOpen) return
    try {
      if (!this.#isUnchanged()) throw changedMeanwhile(this.#path)
      const file = buildGdbm(this.#kind, this.#records)
      inDriver(GDBM_ERROR.fileWrite, () => {
        this.#replacement.write(file, 0)
        this.#replacement.finish()
        this.#replacement.takePlace()
      })
    } finally {
      this.abandon()
    }
  }

  abandon(): void {
    this.#isOpen = false
    this.#replacement.discard()
  }

  #open(): Records {
    if (!this.#isOpen) throw driverError(GDBM_ERROR.fileOpen, `${this.#path} is closed`)
    return this.#records
  }

  #isUnchanged(): boolean {
    return this.#old === undefined ? this.#mode === 'truncate' || isAbsent(this.#path) : this.#old.isCurrent()
  }
}

/** The library's limit, in bytes. */
const SMALLEST_BLOCK = 512

const EMPTY: { readonly kind: GdbmKind; readonly records: Records } = Object.freeze({ kind: NEW_KIND, records: new Map() })

/**
 * Reads an open file whole, and closes it. When the library may write, it treats a file of no bytes as an
 * empty database.
 */
function readAll(file: FileBytes): { readonly kind: GdbmKind; readonly records: Records } {
  if (file.size === 0) return EMPTY
  const reader = readGdbm(file)
  try {
    const kind = readHeader(file)
    // The library always keeps the two sizes equal. A file with unusual blocks cannot be rewritten.
    if (kind.blockSize !== kind.bucketSize || kind.blockSize < SMALLEST_BLOCK) {
      throw driverError(GDBM_ERROR.badHeader, `the header of ${file.path} is damaged: its block size is ${kind.blockSize}`)
    }
    const records: Records = new Map()
    for (const [key, value] of reader.entries()) records.set(name(key), value)
    return { kind, records }
  } finally {
    reader.close()
  }
}

function name(key: Buffer): string {
  return key.toString('latin1')
}

/** Runs `act` and gives a system error the library's number for the failed operation. */
function inDriver<T>(number: number, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw error instanceof DbmError ? driverError(number, error.message) : error
  }
}
