import { DbmError, systemError } from '../dbm-error.ts'
import { FileBytes } from '../file-bytes.ts'
import type { DbmReader } from '../reader.ts'
import { DEEPEST_MASK, locate, reachablePages } from './directory.ts'
import { sdbmHash } from './hash.ts'
import { PAGE_SIZE, SdbmPage } from './page.ts'

const ENOENT = 2

/** The extensions are always appended, even to a path that already has one. */
export function sdbmFiles(path: string): [directory: string, pages: string] {
  return [`${path}.dir`, `${path}.pag`]
}

/** How often to reopen the two files if they are replaced between the two calls. */
const ATTEMPTS = 50

/** @throws DbmError with the system's number if either file cannot be opened */
export function openSdbm(path: string): SdbmReader {
  for (let attempt = 1; ; attempt++) {
    const reader = openPair(path)
    if (reader instanceof DbmError) {
      if (attempt === ATTEMPTS || reader.code !== ENOENT) throw reader
    } else {
      if (attempt === ATTEMPTS || reader.isCurrent()) return reader
      reader.close()
    }
  }
}

/** Returns an error only for `.dir`, which is missing for a moment while a writer replaces both files. */
function openPair(path: string): SdbmReader | DbmError {
  const [directoryPath, pagesPath] = sdbmFiles(path)
  const pages = new FileBytes(pagesPath)
  try {
    const file = new FileBytes(directoryPath)
    try {
      return new SdbmReader(pages, file, readDirectory(file))
    } finally {
      file.close()
    }
  } catch (error) {
    pages.close()
    if (error instanceof DbmError) return error
    throw error
  }
}

/** The error for a damaged page. APR reports it with the number of an unrelated error. */
export function damagedPage(page: number): DbmError {
  const ENOSPC = 28
  return systemError(ENOSPC, `SDBM page ${page} is damaged`)
}

/** Far more than the directory of any real database, which has one bit for each split of a page. */
const LARGEST_DIRECTORY = 16 * 1024 * 1024

function readDirectory(file: FileBytes): Buffer {
  const EFBIG = 27
  const EIO = 5
  if (file.size > LARGEST_DIRECTORY) throw systemError(EFBIG, `${file.path} is too large for an SDBM directory`)
  const bytes = file.read(0, file.size)
  if (bytes === undefined) throw systemError(EIO, `${file.path} became shorter while it was read`)
  return bytes
}

export class SdbmReader implements DbmReader {
  readonly directory: Buffer
  readonly #pages: FileBytes
  readonly #directoryFile: FileBytes
  #damage: DbmError | undefined

  constructor(pages: FileBytes, directoryFile: FileBytes, directory: Buffer) {
    this.#pages = pages
    this.#directoryFile = directoryFile
    this.directory = directory
  }

  /** Whether both files are still the opened ones, and therefore belong together. */
  isCurrent(): boolean {
    return this.#pages.isCurrent() && this.#directoryFile.isCurrent()
  }

  get size(): number {
    return this.#pages.size + this.directory.length
  }

  get damage(): DbmError | undefined {
    return this.#damage
  }

  get(key: Buffer): Buffer | undefined {
    if (key.length === 0) return undefined
    const { page: number, mask } = locate(this.directory, sdbmHash(key))
    // A page that a split has made exists; without any split there may be no page yet.
    const page = mask > 0 && number * PAGE_SIZE >= this.#pages.size ? undefined : this.#page(number)
    const record = page?.find(key) ?? -1
    if (page !== undefined && record >= 0) return page.value(record)
    if (page === undefined || this.#isElsewhere(key)) this.#damage ??= damagedPage(number)
    return undefined
  }

  *entries(): Iterable<[Buffer, Buffer]> {
    for (const [, page] of this.pages()) {
      for (let record = 0; record < page.records; record++) yield [page.key(record), page.value(record)]
    }
  }

  /**
   * All pages that a look-up can reach, with the records that it would find there. A writer that was
   * interrupted between the two halves of a split leaves copies on pages where no look-up finds them.
   * @throws DbmError at a page that is damaged
   */
  *pages(): Iterable<[number: number, page: SdbmPage]> {
    const end = Math.ceil(this.#pages.size / PAGE_SIZE)
    const numbers = reachablePages(this.directory, end)
    if (numbers === undefined) throw damagedPage(end)
    for (const number of numbers) {
      const page = this.#page(number)
      if (page === undefined) throw damagedPage(number)
      yield [number, page.select((record) => this.#isHome(page, record, number))]
    }
  }

  close(): void {
    this.#pages.close()
  }

  #isHome(page: SdbmPage, record: number, number: number): boolean {
    const key = page.key(record)
    return key.length > 0 && page.find(key) === record && locate(this.directory, sdbmHash(key)).page === number
  }

  /**
   * Whether a key that is not on its page is on a page that fewer or more splits lead to: then a damaged
   * directory hides it.
   */
  #isElsewhere(key: Buffer): boolean {
    const hash = sdbmHash(key)
    let last = -1
    for (let mask = 0; mask * PAGE_SIZE < this.#pages.size && mask <= DEEPEST_MASK; mask = mask * 2 + 1) {
      const number = hash & mask
      if (number !== last && (this.#page(number)?.find(key) ?? -1) >= 0) return true
      last = number
    }
    return false
  }

  /**
   * Pages beyond the end of the file are empty. A truncated last page is damaged, like one with invalid
   * content.
   */
  #page(number: number): SdbmPage | undefined {
    const position = number * PAGE_SIZE
    if (position >= this.#pages.size) return SdbmPage.empty()
    const bytes = this.#pages.read(position, PAGE_SIZE)
    return bytes === undefined ? undefined : SdbmPage.read(bytes)
  }
}
