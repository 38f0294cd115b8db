import { statSync } from 'node:fs'
import type { FileInfo, MaybePromise, SearchedFile, TextReader } from '@gatewright/api'
import { LRUCache } from 'lru-cache'
import { describe, fsPath } from '../base/file-info.ts'
import { isSettled, sameVersion } from '../base/file-version.ts'
import type { FileBlocks } from './file-blocks.ts'
import { SMALL_FILE } from './file-cache.ts'
import { FileTooLarge, NotRegularFile } from './file-errors.ts'
import type { LongWork } from './long-work.ts'
import { readWhole } from './read-whole.ts'
import type { TurnClock } from './watch-file.ts'

/** Memory limits of one file, by its bytes and its entries, and of all files of a process together. */
const MAX_KEPT = 32 * 1024 * 1024
const MAX_KEPT_IN_ALL = 64 * 1024 * 1024
/** Memory of an entry in addition to its characters. */
const ENTRY_BYTES = 128
const CHARACTER_BYTES = 2

/** The device that httpd reads as an empty file, by exactly this name. */
const NO_FILE = '/dev/null'

interface Kept {
  readonly info: FileInfo
  readonly readAt: number
  readonly value: unknown
  readonly bytes: number
}

/** What searched files share. */
export interface SearchContext {
  readonly clock: TurnClock
  readonly work: LongWork
  readonly blocks: FileBlocks
  readonly kept: LRUCache<object, Kept>
}

/** The cache of searched files. */
export function keptFiles(): LRUCache<object, Kept> {
  return new LRUCache<object, Kept>({ maxSize: MAX_KEPT_IN_ALL, sizeCalculation: ({ bytes }) => bytes })
}

/** A file that is cached whole if it is small enough, and read for each look-up otherwise. */
export class SearchedFileImpl<T> implements SearchedFile<T> {
  readonly #path: string
  readonly #newReader: (keys: ReadonlySet<string> | null) => TextReader<T>
  readonly #context: SearchContext
  #checkedAt = -1
  #found: FileInfo | null = null
  /** The value of `#context.kept`, with its type. */
  #value: T | undefined
  /** The version that is too large to be cached. */
  #tooLarge: FileInfo | null = null
  #readingWhole: { readonly info: FileInfo; readonly result: Promise<T | undefined> } | null = null
  /** The last look-up that was started, and the one that is still collecting keys. */
  #last: Promise<unknown> = Promise.resolve()
  #gathering: { readonly keys: Set<string>; readonly result: Promise<T> } | null = null

  constructor(path: string, newReader: (keys: ReadonlySet<string> | null) => TextReader<T>, context: SearchContext) {
    this.#path = path
    this.#newReader = newReader
    this.#context = context
  }

  find(key: string): MaybePromise<T> {
    const whole = this.whole()
    if (whole !== undefined) return whole
    const info = this.#found
    const isKept = info !== null && isSettled(info, Date.now()) && !this.#isTooLarge(info)
    if (!isKept) return this.#search(key)
    return this.#readWhole(info).then((value) => value ?? this.#search(key))
  }

  whole(): T | undefined {
    if (this.#path === NO_FILE) return drain(this.#newReader(null).finish())
    const { clock, kept } = this.#context
    const turn = clock.now()
    if (this.#checkedAt !== turn) {
      this.#found = null
      // Looked up before the content is read, so that the next look-up sees a change in between.
      const stats = statSync(fsPath(this.#path))
      if (!stats.isFile()) throw new NotRegularFile(this.#path)
      this.#found = describe(stats)
      this.#checkedAt = turn
      const known = kept.get(this)
      if (known === undefined || !sameVersion(known.info, this.#found) || !isSettled(known.info, known.readAt)) {
        kept.delete(this)
        this.#value = undefined
      }
    }
    const info = this.#found
    // A file that could not be looked up in this turn is not looked up again in it.
    if (info === null) return this.#again()
    if (kept.has(this) && this.#value !== undefined) return this.#value
    return info.size <= SMALL_FILE ? this.#readSmall(info) : undefined
  }

  #again(): T | undefined {
    this.#checkedAt = -1
    return this.whole()
  }

  #readSmall(info: FileInfo): T | undefined {
    const readAt = Date.now()
    const text = readWhole(this.#path, SMALL_FILE)?.toString('latin1')
    if (text === undefined) return undefined
    const reader = this.#newReader(null)
    drain(reader.read(text))
    const value = drain(reader.finish())
    this.#keep(info, readAt, value, text.length, reader.entries)
    return value
  }

  #isTooLarge(info: FileInfo): boolean {
    if (info.size * CHARACTER_BYTES > MAX_KEPT) return true
    return this.#tooLarge !== null && sameVersion(this.#tooLarge, info)
  }

  /**
   * The content of a large file, read once for all concurrent callers; undefined if it is too large to be
   * cached.
   */
  #readWhole(info: FileInfo): Promise<T | undefined> {
    const known = this.#readingWhole
    if (known !== null && sameVersion(known.info, info)) return known.result
    const readAt = Date.now()
    const reader = this.#newReader(null)
    const result = this.#readAll(reader, MAX_KEPT).then(({ bytes, value }) => {
      if (value === undefined) this.#tooLarge = info
      else this.#keep(info, readAt, value, bytes, reader.entries)
      return value
    })
    const reading = { info, result }
    this.#readingWhole = reading
    const end = (): void => {
      if (this.#readingWhole === reading) this.#readingWhole = null
    }
    result.then(end, end)
    return result
  }

  #keep(info: FileInfo, readAt: number, value: T, bytes: number, entries: number): void {
    this.#value = value
    this.#context.kept.set(this, { info, readAt, value, bytes: keptBytes(bytes, entries) + 1 })
  }

  /**
   * Reads the file for some keys after the pending look-up, which may have begun before the file had its
   * current content.
   */
  #search(key: string): Promise<T> {
    if (this.#gathering === null) {
      const keys = new Set<string>()
      const result = this.#last.then(async () => {
        this.#gathering = null
        const { value } = await this.#readAll(this.#newReader(keys), Number.POSITIVE_INFINITY)
        if (value === undefined) throw new FileTooLarge(this.#path)
        return value
      })
      this.#last = result.catch(() => undefined)
      this.#gathering = { keys, result }
    }
    this.#gathering.keys.add(key)
    return this.#gathering.result
  }

  /** @returns no value if the content would take more than `most` bytes of memory */
  async #readAll(reader: TextReader<T>, most: number): Promise<{ readonly bytes: number; readonly value: T | undefined }> {
    const { blocks, work } = this.#context
    let bytes = 0
    const exceeds = (): boolean => keptBytes(bytes, reader.entries) > most
    const file = await blocks.open(this.#path)
    try {
      for (;;) {
        const part = await file.next()
        if (part === null) break
        bytes += part.length
        const more = await work.steps(unless(exceeds, reader.read(part)))
        if (more === undefined) return { bytes, value: undefined }
        if (!more) break
      }
    } finally {
      await file.close()
    }
    return { bytes, value: await work.steps(unless(exceeds, reader.finish())) }
  }
}

/** The same steps while no limit is exceeded; undefined otherwise. */
function* unless<T>(exceeds: () => boolean, steps: Iterator<unknown, T>): Generator<undefined, T | undefined> {
  for (;;) {
    const step = steps.next()
    if (exceeds()) return undefined
    if (step.done === true) return step.value
    yield
  }
}

function keptBytes(bytes: number, entries: number): number {
  return bytes * CHARACTER_BYTES + entries * ENTRY_BYTES
}

function drain<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
