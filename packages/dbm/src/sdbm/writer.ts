import { systemError } from '../dbm-error.ts'
import { isAbsent } from '../file-bytes.ts'
import { changedMeanwhile, Replacement } from '../replacement.ts'
import type { DbmWriter, DbmWriterMode } from '../writer.ts'
import { DIRECTORY_BLOCK, locate } from './directory.ts'
import { sdbmHash } from './hash.ts'
import { LARGEST_PAIR, PAGE_SIZE, SdbmPage } from './page.ts'
import { openSdbm, type SdbmReader, sdbmFiles } from './reader.ts'
import { makeRoom } from './split.ts'

const EBADF = 9
const EINVAL = 22
const EFBIG = 27

/** The number of pages that are kept in memory: 1 GiB. */
const MOST_PAGES = 1024 * 1024

/**
 * Opens an SDBM database for changes. A change fails with 22 for an empty key and for a record of more than
 * 1008 bytes, with 28 if the record still does not fit after ten splits of a page.
 * @throws DbmError with the system's number if either file cannot be opened or made, 28 if a page is damaged
 */
export function openSdbmWriter(path: string, mode: DbmWriterMode): DbmWriter {
  const pages = Replacement.begin(sdbmFiles(path)[1])
  try {
    return new SdbmWriter(path, pages, mode)
  } catch (error) {
    pages.discard()
    throw error
  }
}

class SdbmWriter implements DbmWriter {
  readonly #path: string
  readonly #replacement: Replacement
  readonly #mode: DbmWriterMode
  /** undefined if the database was empty. */
  readonly #old: SdbmReader | undefined
  readonly #pages: Map<number, SdbmPage>
  #directory: Buffer
  #isOpen = true

  constructor(path: string, replacement: Replacement, mode: DbmWriterMode) {
    this.#path = path
    this.#replacement = replacement
    this.#mode = mode
    // If one of the two files exists, the database is not new and must not be overwritten.
    const isNew = mode === 'truncate' || (mode === 'create' && sdbmFiles(path).every(isAbsent))
    this.#old = isNew ? undefined : openSdbm(path)
    this.#directory = Buffer.from(this.#old?.directory ?? '')
    try {
      this.#pages = new Map(this.#old?.pages())
    } finally {
      this.#old?.close()
    }
  }

  get(key: Buffer): Buffer | undefined {
    this.#checkOpen()
    const page = this.#page(locate(this.#directory, sdbmHash(key)).page)
    const record = page.find(key)
    return record < 0 ? undefined : Buffer.from(page.value(record))
  }

  insert(key: Buffer, value: Buffer): boolean {
    if (this.get(key) !== undefined) return false
    this.replace(key, value)
    return true
  }

  replace(key: Buffer, value: Buffer): void {
    this.#checkOpen()
    if (key.length === 0) throw systemError(EINVAL, 'an SDBM key cannot be empty')
    if (key.length + value.length > LARGEST_PAIR) {
      throw systemError(EINVAL, `key and value have more than the ${LARGEST_PAIR} bytes of an SDBM record`)
    }
    const hash = sdbmHash(key)
    const place = locate(this.#directory, hash)
    const page = this.#page(place.page)
    const record = page.find(key)
    const room = makeRoom(record < 0 ? page : page.without(record), place, hash, key, value)
    if (this.#pages.size + room.split.length > MOST_PAGES) throw systemError(EFBIG, `${this.#path} would become too large`)
    room.page.append(key, value)
    for (const [number, other] of room.split) this.#pages.set(number, other)
    this.#pages.set(room.number, room.page)
    for (const bit of room.bits) this.#setBit(bit)
  }

  delete(key: Buffer): boolean {
    this.#checkOpen()
    const { page: number } = locate(this.#directory, sdbmHash(key))
    const page = this.#page(number)
    const record = page.find(key)
    if (record < 0) return false
    this.#pages.set(number, page.without(record))
    return true
  }

  *entries(): Iterable<[Buffer, Buffer]> {
    this.#checkOpen()
    for (const number of [...this.#pages.keys()].sort((a, b) => a - b)) {
      const page = this.#page(number)
      for (let record = 0; record < page.records; record++) yield [Buffer.from(page.key(record)), Buffer.from(page.value(record))]
    }
  }

  close(): void {
    if (!this.#isOpen) return
    try {
      this.#checkUnchanged()
      this.#replaceFiles()
    } finally {
      this.abandon()
    }
  }

  abandon(): void {
    this.#isOpen = false
    this.#replacement.discard()
  }

  #replaceFiles(): void {
    const pages = this.#replacement
    for (const [number, page] of this.#pages) pages.write(page.bytes, number * PAGE_SIZE)
    pages.finish()
    if (this.#old?.directory.equals(this.#directory)) {
      pages.takePlace()
      return
    }
    const directory = Replacement.begin(sdbmFiles(this.#path)[0])
    try {
      directory.write(this.#directory, 0)
      directory.finish()
      // Two files cannot be replaced atomically. A reader in between finds no database instead of two files
      // that do not belong together.
      directory.removeOld()
      pages.takePlace()
      directory.takePlace()
    } finally {
      directory.discard()
    }
  }

  #checkUnchanged(): void {
    const isUnchanged =
      this.#old === undefined ? this.#mode === 'truncate' || sdbmFiles(this.#path).every(isAbsent) : this.#old.isCurrent()
    if (!isUnchanged) throw changedMeanwhile(this.#path)
  }

  #checkOpen(): void {
    if (!this.#isOpen) throw systemError(EBADF, `${this.#path} is closed`)
  }

  #page(number: number): SdbmPage {
    return this.#pages.get(number) ?? SdbmPage.empty()
  }

  #setBit(bit: number): void {
    const index = Math.floor(bit / 8)
    if (index >= this.#directory.length) {
      const grown = Buffer.alloc((Math.floor(index / DIRECTORY_BLOCK) + 1) * DIRECTORY_BLOCK)
      this.#directory.copy(grown)
      this.#directory = grown
    }
    this.#directory[index] |= 1 << (bit % 8)
  }
}
