import type { FileBytes } from '../file-bytes.ts'
import type { BerkeleyMeta } from './meta.ts'
import { readOverflow } from './overflow.ts'
import { PAGE_HEADER } from './page-header.ts'

const PAGE_NUMBER = 8
const NEXT_PAGE = 16
const ENTRIES = 20
const PAGE_TYPE = 25

/** Page types of a bucket: not written since the table grew, unsorted as in version 8, sorted. */
const UNUSED = 0
const HASH_UNSORTED = 2
const HASH = 13

/**
 * Item types: bytes on the page, bytes on overflow pages. Files with duplicates or large objects are
 * rejected.
 */
const ON_PAGE = 1
const OFF_PAGE = 3
const OFF_PAGE_SIZE = 12

/**
 * A page of a bucket: offsets of items, two to a record (key, then value), and the items, filled from the end downwards.
 * Each item is a type byte and its content. Records are numbered from 0.
 */
export class BerkeleyPage {
  readonly records: number
  /** The number of the bucket's next page, 0 if this is the last. */
  readonly next: number
  readonly #meta: BerkeleyMeta
  readonly #file: FileBytes
  readonly #bytes: Buffer

  private constructor(meta: BerkeleyMeta, file: FileBytes, bytes: Buffer) {
    this.#meta = meta
    this.#file = file
    this.#bytes = bytes
    this.records = meta.order.u16(bytes, ENTRIES) / 2
    this.next = meta.order.u32(bytes, NEXT_PAGE)
  }

  /** @returns undefined if there is no such page or it is damaged */
  static read(meta: BerkeleyMeta, file: FileBytes, number: number): BerkeleyPage | undefined {
    const bytes = file.read(number * meta.pageSize, meta.pageSize)
    if (number === 0 || bytes === undefined) return undefined
    const page = new BerkeleyPage(meta, file, bytes)
    const type = bytes[PAGE_TYPE]
    if (type === UNUSED) return page.records === 0 && page.next === 0 ? page : undefined
    const sound = (type === HASH || type === HASH_UNSORTED) && meta.order.u32(bytes, PAGE_NUMBER) === number
    return sound && page.#hasSoundTable() ? page : undefined
  }

  /** @returns undefined if the key is damaged */
  key(record: number): Buffer | undefined {
    return this.#item(2 * record)
  }

  /** @returns undefined if the value is damaged */
  value(record: number): Buffer | undefined {
    return this.#item(2 * record + 1)
  }

  /**
   * The length of the key, which distinguishes most keys without reading overflow pages. NaN if the type of
   * the item is unknown.
   */
  keySize(record: number): number {
    const start = this.#start(2 * record)
    if (this.#bytes[start] === ON_PAGE) return this.#end(2 * record) - start - 1
    return this.#bytes[start] === OFF_PAGE ? this.#meta.order.u32(this.#bytes, start + 8) : Number.NaN
  }

  #item(index: number): Buffer | undefined {
    const start = this.#start(index)
    const end = this.#end(index)
    if (this.#bytes[start] === ON_PAGE) return this.#bytes.subarray(start + 1, end)
    if (this.#bytes[start] !== OFF_PAGE) return undefined
    const { order } = this.#meta
    return readOverflow(this.#meta, this.#file, order.u32(this.#bytes, start + 4), order.u32(this.#bytes, start + 8))
  }

  #start(index: number): number {
    return this.#meta.order.u16(this.#bytes, PAGE_HEADER + 2 * index)
  }

  #end(index: number): number {
    return index === 0 ? this.#bytes.length : this.#start(index - 1)
  }

  /** Offsets descend from the end of the page to the end of the table, and every item has the bytes that its type needs. */
  #hasSoundTable(): boolean {
    const entries = 2 * this.records
    const tableEnd = PAGE_HEADER + 2 * entries
    if (!Number.isInteger(this.records) || tableEnd > this.#bytes.length) return false
    for (let index = 0; index < entries; index++) {
      const start = this.#start(index)
      const end = this.#end(index)
      if (start < tableEnd || start >= end) return false
      if (this.#bytes[start] === OFF_PAGE && end - start !== OFF_PAGE_SIZE) return false
    }
    return true
  }
}
