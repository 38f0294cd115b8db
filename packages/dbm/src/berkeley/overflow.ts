import type { FileBytes } from '../file-bytes.ts'
import type { BerkeleyMeta } from './meta.ts'
import { PAGE_HEADER } from './page-header.ts'

const PAGE_NUMBER = 8
const NEXT_PAGE = 16
const LENGTH = 22
const PAGE_TYPE = 25
const OVERFLOW = 7

/**
 * Reads an item that was too large for a page of its bucket.
 * @returns undefined unless the chain of pages from `first` holds exactly `size` bytes
 */
export function readOverflow(meta: BerkeleyMeta, file: FileBytes, first: number, size: number): Buffer | undefined {
  if (size > file.size) return undefined
  const item = Buffer.allocUnsafe(size)
  let filled = 0
  let number = first
  let pages = file.size / meta.pageSize
  while (filled < size) {
    if (pages-- <= 0) return undefined
    const page = number === 0 ? undefined : file.read(number * meta.pageSize, meta.pageSize)
    if (page === undefined || page[PAGE_TYPE] !== OVERFLOW || meta.order.u32(page, PAGE_NUMBER) !== number) return undefined
    const length = meta.order.u16(page, LENGTH)
    if (length === 0 || length > size - filled || PAGE_HEADER + length > meta.pageSize) return undefined
    page.copy(item, filled, PAGE_HEADER, PAGE_HEADER + length)
    filled += length
    number = meta.order.u32(page, NEXT_PAGE)
  }
  return number === 0 ? item : undefined
}
