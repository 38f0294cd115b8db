import { type DbmError, systemError } from '../dbm-error.ts'
import { FileBytes } from '../file-bytes.ts'
import type { DbmReader } from '../reader.ts'
import { locate } from './directory.ts'
import { sdbmHash } from './hash.ts'
import { PAGE_SIZE, SdbmPage } from './page.ts'

/** The extensions are always appended, so a path that has one already is not understood. */
export function sdbmFiles(path: string): [directory: string, pages: string] {
  return [`${path}.dir`, `${path}.pag`]
}

/** @throws DbmError with the system's number if either file cannot be opened */
export function openSdbm(path: string): DbmReader {
  const [directoryPath, pagesPath] = sdbmFiles(path)
  const pages = new FileBytes(pagesPath)
  try {
    return new SdbmReader(readDirectory(directoryPath), pages)
  } catch (error) {
    pages.close()
    throw error
  }
}

/** A page that makes no sense. APR reports it with the number of an error that it is not. */
export function damagedPage(page: number): DbmError {
  const ENOSPC = 28
  return systemError(ENOSPC, `SDBM page ${page} is damaged`)
}

/** More than the directory of any file whose pages can be numbered here. */
const LARGEST_DIRECTORY = 128 * 1024 * 1024

function readDirectory(path: string): Buffer {
  const EFBIG = 27
  const EIO = 5
  const file = new FileBytes(path)
  try {
    if (file.size > LARGEST_DIRECTORY) throw systemError(EFBIG, `${path} is too large for an SDBM directory`)
    const bytes = file.read(0, file.size)
    if (bytes === undefined) throw systemError(EIO, `${path} became shorter while it was read`)
    return bytes
  } finally {
    file.close()
  }
}

class SdbmReader implements DbmReader {
  readonly #directory: Buffer
  readonly #pages: FileBytes
  #damage: DbmError | undefined

  constructor(directory: Buffer, pages: FileBytes) {
    this.#directory = directory
    this.#pages = pages
  }

  get damage(): DbmError | undefined {
    return this.#damage
  }

  get(key: Buffer): Buffer | undefined {
    if (key.length === 0) return undefined
    const { page: number } = locate(this.#directory, sdbmHash(key))
    const page = this.#page(number)
    if (page === undefined) {
      this.#damage ??= damagedPage(number)
      return undefined
    }
    const record = page.find(key)
    return record < 0 ? undefined : page.value(record)
  }

  *entries(): Iterable<[Buffer, Buffer]> {
    const count = Math.ceil(this.#pages.size / PAGE_SIZE)
    for (let number = 0; number < count; number++) {
      const page = this.#page(number)
      if (page === undefined) throw damagedPage(number)
      for (let record = 0; record < page.records; record++) {
        const key = page.key(record)
        // A writer that was interrupted between the two halves of a split leaves copies where no look-up comes by.
        if (page.find(key) !== record || locate(this.#directory, sdbmHash(key)).page !== number) continue
        yield [key, page.value(record)]
      }
    }
  }

  close(): void {
    this.#pages.close()
  }

  /** Pages behind the end of the file are empty; a last one that is cut short is damaged, like one that makes no sense. */
  #page(number: number): SdbmPage | undefined {
    const position = number * PAGE_SIZE
    if (position >= this.#pages.size) return SdbmPage.empty()
    const bytes = this.#pages.read(position, PAGE_SIZE)
    return bytes === undefined ? undefined : SdbmPage.read(bytes)
  }
}
