import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { systemError } from '../dbm-error.ts'
import { fileName } from '../file-name.ts'
import { systemCall } from '../system-call.ts'
import { DIRECTORY_BLOCK, locate } from './directory.ts'
import { sdbmHash } from './hash.ts'
import { LARGEST_PAIR, PAGE_SIZE, SdbmPage } from './page.ts'
import { damagedPage, sdbmFiles } from './reader.ts'
import { makeRoom } from './split.ts'

/** `existing` must be there already, `create` makes what is missing, `truncate` begins an empty database. */
export type SdbmWriterMode = 'existing' | 'create' | 'truncate'

/**
 * An SDBM database open for changes. Every change has been handed to the system when the call returns. Nothing is locked: two
 * writers at a time would overwrite each other's pages, so the caller sees to it that there is one.
 *
 * All methods throw DbmError: 22 for an empty key or a record of more than 1008 bytes, 28 for a damaged page or when ten splits of a page
 * made no room, else the system's number. A change that fails for 22 or 28 has changed nothing.
 */
export interface SdbmWriter {
  get(key: Buffer): Buffer | undefined
  /** @returns false, and changes nothing, if the key is there already */
  insert(key: Buffer, value: Buffer): boolean
  /** Stores the value whether or not the key is there. */
  replace(key: Buffer, value: Buffer): void
  /** @returns false if the key is not there */
  delete(key: Buffer): boolean
  close(): void
}

/** @throws DbmError with the system's number if either file cannot be opened or made */
export function openSdbmWriter(path: string, mode: SdbmWriterMode): SdbmWriter {
  const [directoryPath, pagesPath] = sdbmFiles(path)
  const flags =
    constants.O_RDWR | { existing: 0, create: constants.O_CREAT, truncate: constants.O_CREAT | constants.O_TRUNC }[mode]
  const pages = openFile(pagesPath, flags)
  try {
    return new SdbmFileWriter(openFile(directoryPath, flags), pages)
  } catch (error) {
    pages.close()
    throw error
  }
}

class SdbmFileWriter implements SdbmWriter {
  readonly #directoryFile: WritableFile
  readonly #pagesFile: WritableFile
  #directory: Buffer

  constructor(directoryFile: WritableFile, pagesFile: WritableFile) {
    this.#directoryFile = directoryFile
    this.#pagesFile = pagesFile
    this.#directory = directoryFile.read(0, directoryFile.size())
  }

  get(key: Buffer): Buffer | undefined {
    if (key.length === 0) return undefined
    const page = this.#page(locate(this.#directory, sdbmHash(key)).page)
    const record = page.find(key)
    return record < 0 ? undefined : page.value(record)
  }

  insert(key: Buffer, value: Buffer): boolean {
    if (this.get(key) !== undefined) return false
    this.replace(key, value)
    return true
  }

  replace(key: Buffer, value: Buffer): void {
    const EINVAL = 22
    if (key.length === 0) throw systemError(EINVAL, 'an SDBM key cannot be empty')
    if (key.length + value.length > LARGEST_PAIR) {
      throw systemError(EINVAL, `key and value have more than the ${LARGEST_PAIR} bytes of an SDBM record`)
    }
    const hash = sdbmHash(key)
    const place = locate(this.#directory, hash)
    const page = this.#page(place.page)
    const record = page.find(key)
    const room = makeRoom(record < 0 ? page : page.without(record), place, hash, key, value)
    room.page.append(key, value)
    // Whoever is interrupted leaves copies of records behind and loses none: the page that was split is cut last.
    const changed = [...room.split, [room.number, room.page] as const]
    for (const [number, other] of changed) if (number !== place.page) this.#writePage(number, other)
    for (const bit of room.bits) this.#setBit(bit)
    for (const [number, other] of changed) if (number === place.page) this.#writePage(number, other)
  }

  delete(key: Buffer): boolean {
    if (key.length === 0) return false
    const { page: number } = locate(this.#directory, sdbmHash(key))
    const page = this.#page(number)
    const record = page.find(key)
    if (record < 0) return false
    this.#writePage(number, page.without(record))
    return true
  }

  close(): void {
    this.#directoryFile.close()
    this.#pagesFile.close()
  }

  #page(number: number): SdbmPage {
    const bytes = this.#pagesFile.read(number * PAGE_SIZE, PAGE_SIZE)
    if (bytes.length === 0) return SdbmPage.empty()
    const page = SdbmPage.read(bytes)
    if (page === undefined) throw damagedPage(number)
    return page
  }

  #writePage(number: number, page: SdbmPage): void {
    this.#pagesFile.write(page.bytes, number * PAGE_SIZE)
  }

  #setBit(bit: number): void {
    const index = Math.floor(bit / 8)
    if (index >= this.#directory.length) {
      const grown = Buffer.alloc((Math.floor(index / DIRECTORY_BLOCK) + 1) * DIRECTORY_BLOCK)
      this.#directory.copy(grown)
      this.#directory = grown
    }
    this.#directory[index] |= 1 << (bit % 8)
    const start = index - (index % DIRECTORY_BLOCK)
    this.#directoryFile.write(this.#directory.subarray(start, start + DIRECTORY_BLOCK), start)
  }
}

interface WritableFile {
  size(): number
  /** Fewer bytes than asked for at the end of the file. */
  read(position: number, length: number): Buffer
  write(bytes: Buffer, position: number): void
  close(): void
}

function openFile(path: string, flags: number): WritableFile {
  const descriptor = systemCall(path, () => openSync(fileName(path), flags, 0o666))
  return {
    size: () => systemCall(path, () => fstatSync(descriptor).size),
    read(position, length) {
      const bytes = Buffer.alloc(length)
      let filled = 0
      while (filled < length) {
        const count = systemCall(path, () => readSync(descriptor, bytes, filled, length - filled, position + filled))
        if (count === 0) break
        filled += count
      }
      return bytes.subarray(0, filled)
    },
    write(bytes, position) {
      let written = 0
      while (written < bytes.length) {
        written += systemCall(path, () => writeSync(descriptor, bytes, written, bytes.length - written, position + written))
      }
    },
    close: () => closeSync(descriptor),
  }
}
