import { randomBytes } from 'node:crypto'
import type { ByteRange } from './ranges.ts'

/** The text around the ranges of a body of type multipart/byteranges. */
export interface Multipart {
  /** The text before each range, in order. */
  readonly prefixes: readonly string[]
  /** The text after the last range. */
  readonly suffix: string
  /** Total bytes, including the ranges. */
  readonly length: number
}

/**
 * Frames several ranges as RFC 9110 section 14.6 requires, with httpd's field names.
 *
 * @param contentType type of the whole body, null for none
 * @param size bytes of the whole body
 * @param boundary from `createBoundary`
 */
export function multipart(ranges: readonly ByteRange[], contentType: string | null, size: number, boundary: string): Multipart {
  const type = contentType === null ? '' : `Content-type: ${contentType}\r\n`
  const opening = `\r\n--${boundary}\r\n${type}Content-range: bytes `
  const suffix = `\r\n--${boundary}--\r\n`
  const prefixes: string[] = []
  let length = suffix.length
  for (const { start, end } of ranges) {
    const prefix = `${opening}${start}-${end}/${size}\r\n\r\n`
    prefixes.push(prefix)
    length += prefix.length + end - start + 1
  }
  return { prefixes, suffix, length }
}

/** 16 unpredictable hexadecimal digits, so that no body can contain them on purpose. */
export function createBoundary(): string {
  return randomBytes(8).toString('hex')
}
